// An untouched workspace is saved without reading its files; every change to one is seen.

import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Layout, openLayout } from '../../../src/git/commands/layout.ts';
import { handOver, isUntouched } from '../../../src/git/workspace/untouched.ts';
import { readRecord, recordPlace, type WorkspaceRecord } from '../../../src/git/workspace/workspace-record.ts';
import { must } from '../../../src/std/assert.ts';
import {
  bareOf,
  filesOf,
  type Ground,
  makeDirectory,
  never,
  orderFor,
  pictureOf,
  put,
  run,
} from './git-repositories.ts';
import { type Misdeed, misdeed, misdeedFiles } from './hostile-agents.ts';

let ground: Ground;
let layout: Layout;
let path: string;
let base: string;
let record: WorkspaceRecord;
const attemptId = 'attempt_1-1';
beforeEach(async () => {
  ground = await makeDirectory(misdeedFiles);
  layout = await openLayout(ground.root);
  ({ path, base } = await ground.workspaces.prepare(orderFor(ground), never));
  record = must(await readRecord(layout, attemptId), 'it was prepared');
});
afterEach(() => ground.remove());

const look = () => isUntouched(layout, attemptId, record, path, never);
const save = () => ground.workspaces.save(orderFor(ground), never);
const refs = async () =>
  run(await bareOf(ground), 'for-each-ref', '--format=%(refname) %(objectname)', 'refs/signalbox');

it('untouched work is saved as its base without reading the files [WS-23]', async () => {
  expect(await look()).toBe(true);
  const { handedStamp } = recordPlace(layout, attemptId);
  expect(await save()).toMatchObject({ commit: base, commitsImported: true, changed: { total: 0 }, archive: null });
  expect(existsSync(handedStamp)).toBe(false);
  expect(await refs()).toBe(`refs/signalbox/run_1/task_1/1 ${base}`);
});

it('any change of an agent to its workspace is detected [WS-23]', async () => {
  let seen = 0;
  const property = fc.asyncProperty(misdeed, async ({ act }: { act: Misdeed }) => {
    await handOver(layout, attemptId, record);
    const before = pictureOf(path);
    expect(await look()).toBe(true);
    await act(path);
    const touched = !(await look());
    if (touched) seen += 1;
    else expect(pictureOf(path)).toEqual(before);
  });
  await fc.assert(property, { numRuns: 150 });
  expect(seen).toBeGreaterThan(50);
}, 300_000);

it.each<[string, () => Promise<unknown>]>([
  ['a file of the top that went', () => rm(join(path, 'a.txt'))],
  ['a file of the top that came', () => writeFile(join(path, 'x.log'), '')],
  ['an empty directory', () => mkdir(join(path, 'lib/empty'))],
  ['permissions of the top', () => chmod(path, 0o755)],
  ['a commit', async () => run(path, 'commit', '-q', '--allow-empty', '-m', 'own')],
  ['a branch', async () => run(path, 'branch', 'side')],
  ['another place for a directory', () => rename(join(path, 'lib/x'), join(path, 'deep/x'))],
  ['a file that is written as it was', async () => writeFile(join(path, 'a.txt'), await readFile(join(path, 'a.txt')))],
])('%s is detected [WS-23]', async (_, act) => {
  await act();
  expect(await look()).toBe(false);
});

it('one changed file among many is detected, and none if none was changed [WS-23]', async () => {
  const many = Object.fromEntries(Array.from({ length: 400 }, (_, n) => [`many/${n}/file`, `${n}`]));
  await put(path, many);
  await handOver(layout, attemptId, record);
  expect(await look()).toBe(true);
  await rm(join(path, 'many/399/file'));
  expect(await look()).toBe(false);
});

it('without the stamp, or after a clock change, the files are read [WS-38]', async () => {
  expect(await isUntouched(layout, attemptId, { ...record, made: { ...record.made, up: 0 } }, path, never)).toBe(false);
  await rm(recordPlace(layout, attemptId).handedStamp);
  expect(await look()).toBe(false);
  await put(path, { 'mine.txt': 'mine\n' });
  expect(await filesOf(ground, (await save()).commit)).toContain('mine.txt');
});

it('a workspace with copied or set-up files is always read [WS-38]', async () => {
  await put(ground.user, { '.worktreeinclude': '*.log\n', 'x.log': 'mine\n' });
  await ground.workspaces.prepare(orderFor(ground, 2), never);
  expect(existsSync(recordPlace(layout, 'attempt_1-2').handedStamp)).toBe(false);
});

it('changes after the work was saved keep the workspace [WS-23]', async () => {
  await save();
  await put(path, { 'late.txt': 'late\n' });
  const [item] = await ground.workspaces.inspectSpace(never);
  expect(item).toMatchObject({ kind: 'workspace', removable: false });
});
