// Ended workspaces are used again, and nothing of the former agent is in them.

import { existsSync, lstatSync } from 'node:fs';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openWorkspaces, type Workspaces } from '../../../src/git/workspace/workspaces.ts';
import { commitFiles, type Ground, makeDirectory, never, orderFor, pictureOf, put, run } from './git-repositories.ts';
import { type Misdeed, misdeed, misdeedFiles } from './hostile-agents.ts';

let ground: Ground;
let pooled: Workspaces;
beforeEach(async () => {
  ground = await makeDirectory(misdeedFiles);
  pooled = await openWorkspaces({ root: ground.root, recycle: true });
});
afterEach(() => ground.remove());

const prepare = (n: number) => pooled.prepare(orderFor(ground, n), never);
const save = (n: number) => pooled.save(orderFor(ground, n), never);
const inodeOf = (path: string, name: string) => lstatSync(join(path, name)).ino;

/** All but times, the state of the index and what is named after the attempt. */
function looks(path: string, n: number): Record<string, string> {
  const names = Object.entries(pictureOf(path)).filter(
    ([name]) => name !== '.git/index' && !name.startsWith('.git/objects/info'),
  );
  const flat = names.map(([name, text]) => [name, text.replace(/^(\d+) [\d.]+ /, '$1 ')]);
  const own = `task_1-${n}`;
  return {
    ...Object.fromEntries(flat.filter(([name]) => name !== '.git/HEAD' && name !== '.git/packed-refs')),
    head: run(path, 'symbolic-ref', 'HEAD').replace(own, 'own'),
    refs: run(path, 'for-each-ref', '--format=%(refname) %(objectname)').replaceAll(own, 'own'),
    alternates: run(path, 'rev-parse', '--git-path', 'objects/info/alternates'),
    index: run(path, 'ls-files', '-v', '--stage'),
    status: run(path, 'status', '--porcelain', '--ignored'),
    objects: run(path, 'rev-list', '--objects', 'HEAD'),
  };
}

it('a saved workspace is reused for the next attempt of the project [WS-9]', async () => {
  const first = await prepare(1);
  const inode = inodeOf(first.path, 'lib/z.js');
  await put(first.path, { 'a.txt': 'changed\n' });
  await save(1);
  const second = await prepare(2);
  expect(inodeOf(second.path, 'lib/z.js')).toBe(inode);
  expect(existsSync(first.path)).toBe(false);
  expect(run(second.path, 'status', '--porcelain', '--ignored')).toBe('');
  expect(run(second.path, 'symbolic-ref', '--short', 'HEAD')).toBe('signalbox/run_1/task_1-2');
  // The former attempt's work is where it was, and saving it again says so.
  expect((await save(1)).notes.join()).toMatch(/is gone; its work was saved before/);
  await pooled.idle();
  expect(await readdir(join(ground.root, 'scratch'))).toEqual([]);
});

it('a workspace reused on another base holds exactly that base [WS-9]', async () => {
  const { path } = await prepare(1);
  const inode = inodeOf(path, 'lib/z.js');
  await save(1);
  run(ground.user, 'rm', '-q', '-r', 'deep');
  run(ground.user, 'rm', '-q', '-r', 'lib/x');
  const base = await commitFiles(ground.user, { 'lib/x': 'a file now\n', 'new/one.txt': 'new\n' }, 'other');
  const second = await prepare(2);
  expect(second.base).toBe(base);
  expect(inodeOf(second.path, 'lib/z.js')).toBe(inode);
  const fresh = await ground.workspaces.prepare(orderFor(ground, 3), never);
  expect(looks(second.path, 2)).toEqual(looks(fresh.path, 3));
});

it.each<[string, (n: number, path: string) => Promise<unknown>]>([
  ['is not saved', async () => undefined],
  ['is held', async (n) => save(n).then(() => pooled.hold(`attempt_1-${n}`, 'ann'))],
  ['was changed after it was saved', async (n, path) => save(n).then(() => writeFile(join(path, 'lib/z.js'), 'later'))],
  ['was prepared again', async (n) => save(n).then(() => prepare(n))],
])('a workspace that %s is not reused [WS-9]', async (_, happen) => {
  const { path } = await prepare(1);
  await put(path, { 'mine.txt': 'mine\n' });
  await happen(1, path);
  const before = pictureOf(path);
  await prepare(2);
  expect(pictureOf(path)).toEqual(before);
});

it('a held workspace is reused when it is released', async () => {
  const { path } = await prepare(1);
  await save(1);
  await pooled.hold('attempt_1-1', 'ann');
  await prepare(2);
  await pooled.letGo('attempt_1-1', 'ann');
  await prepare(3);
  expect(existsSync(path)).toBe(false);
});

it('eight concurrent preparations share three ended workspaces, each for one', async () => {
  for (const n of [1, 2, 3]) await prepare(n);
  for (const n of [1, 2, 3]) await save(n);
  const made = await Promise.all([4, 5, 6, 7, 8, 9, 10, 11].map(prepare));
  expect(new Set(made.map(({ path }) => inodeOf(path, 'lib/z.js'))).size).toBe(8);
  for (const { path } of made) expect(run(path, 'status', '--porcelain', '--ignored')).toBe('');
  expect([1, 2, 3].filter((n) => existsSync(join(ground.root, 'workspaces', `attempt_1-${n}`)))).toEqual([]);
});

it('nothing of the former agent is left, whatever it did [WS-30]', async () => {
  const fresh = await ground.workspaces.prepare(orderFor(ground, 999), never);
  const expected = looks(fresh.path, 999);
  let n = 1;
  let reused = 0;
  let { path } = await prepare(n);
  const property = fc.asyncProperty(fc.array(misdeed, { minLength: 1, maxLength: 8 }), async (deeds) => {
    const inodes = Object.keys(misdeedFiles).map((name) => inodeOf(path, name));
    for (const { act } of deeds as { act: Misdeed }[]) await act(path);
    await save(n);
    n += 1;
    ({ path } = await prepare(n));
    if (Object.keys(misdeedFiles).some((name) => inodes.includes(inodeOf(path, name)))) reused += 1;
    expect(looks(path, n)).toEqual(expected);
  });
  await fc.assert(property, { numRuns: 25, endOnFailure: true });
  expect(reused).toBeGreaterThan(0);
  expect(existsSync('/tmp/never')).toBe(false);
}, 600_000);

it('a crash while a workspace is reused loses nothing that was saved', async () => {
  const { path } = await prepare(1);
  await put(path, { 'mine.txt': 'mine\n' });
  const { commit } = await save(1);
  await mkdir(join(ground.root, 'scratch/use-crashed'));
  await rm(path, { recursive: true });
  pooled = await openWorkspaces({ root: ground.root, recycle: true });
  expect((await save(1)).commit).toBe(commit);
  expect(run((await prepare(2)).path, 'status', '--porcelain')).toBe('');
});

it("an untouched workspace is reused as it is, on the next attempt's branch [WS-9]", async () => {
  const first = await prepare(1);
  const index = inodeOf(first.path, '.git/index');
  await save(1);
  const second = await prepare(2);
  expect(inodeOf(second.path, '.git/index')).toBe(index);
  const fresh = await ground.workspaces.prepare(orderFor(ground, 3), never);
  expect(looks(second.path, 2)).toEqual(looks(fresh.path, 3));
  await put(second.path, { 'mine.txt': 'mine\n' });
  run(second.path, 'add', '-A');
  run(second.path, 'commit', '-q', '-m', 'own');
  expect((await save(2)).changed).toEqual({ paths: ['mine.txt'], total: 1 });
});
