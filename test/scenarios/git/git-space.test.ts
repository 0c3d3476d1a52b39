// What lies on the disk, why, and what may go.

import { existsSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openWorkspaces } from '../../../src/git/workspace/workspaces.ts';
import { isFault } from '../../../src/std/fault.ts';
import { bareOf, type Ground, makeDirectory, never, orderFor, put, run } from './git-repositories.ts';

let ground: Ground;
beforeEach(async () => {
  ground = await makeDirectory({ 'a.txt': 'one\n', '.gitignore': '*.log\n' });
});
afterEach(() => ground.remove());

const make = async (n: number, files: Record<string, string> = {}) => {
  const { path } = await ground.workspaces.prepare(orderFor(ground, n), never);
  await put(path, files);
  return path;
};
const save = (n: number) => ground.workspaces.save(orderFor(ground, n), never);

it('everything on the disk is listed with its size and why it is kept or may go [WS-11]', async () => {
  await make(1, { 'big.bin': 'x'.repeat(300_000) });
  await save(1);
  await make(2);
  await make(3, { 'x.log': 'log\n' });
  await save(3);
  await ground.workspaces.hold('attempt_1-3', 'ann');
  const changed = await make(4);
  await save(4);
  await writeFile(join(changed, 'later.txt'), 'later');
  const items = await ground.workspaces.inspectSpace(never);
  expect(items.map(({ kind, name, removable, why }) => [kind, name.slice(0, 11), removable, why])).toEqual([
    [
      'workspace',
      'attempt_1-1',
      true,
      expect.stringMatching(/^its work is saved as [0-9a-f]{12} and nobody holds it$/),
    ],
    ['workspace', 'attempt_1-2', false, 'its work is not saved'],
    ['workspace', 'attempt_1-3', false, 'somebody holds it'],
    ['workspace', 'attempt_1-4', false, 'it was changed after its work was saved: later.txt'],
    ['project', expect.any(String), false, 'it holds the work of 4 attempts'],
    ['archive', 'attempt_1-3', false, 'it holds work that is in no commit'],
  ]);
  expect(items[0]?.bytes).toBeGreaterThan(300_000);
});

it('only what may go is removed, and its saved work stays [WS-41]', async () => {
  const gone = await make(1, { 'mine.txt': 'mine\n' });
  const { commit } = await save(1);
  const stays = await make(2, { 'mine.txt': 'not saved\n' });
  const { removed, kept } = await ground.workspaces.reclaim('all', never);
  expect(removed.map(({ name }) => name)).toEqual(['attempt_1-1']);
  expect(kept.map(({ name }) => name)).toEqual(['attempt_1-2']);
  await ground.workspaces.idle();
  expect(existsSync(gone)).toBe(false);
  expect(existsSync(join(stays, 'mine.txt'))).toBe(true);
  expect(await readdir(join(ground.root, 'scratch'))).toEqual([]);
  expect(run(await bareOf(ground), 'show', `${commit}:mine.txt`)).toBe('mine');
  expect((await save(1)).commit).toBe(commit);
});

it('work that is too much to archive keeps its workspace', async () => {
  const path = await make(1, { 'x.log': 'x'.repeat(10_000) });
  const small = await openWorkspaces({ root: ground.root, limits: { bytesMax: 100 } });
  await small.save(orderFor(ground, 1), never);
  const { kept } = await small.reclaim(['attempt_1-1'], never);
  expect(kept[0]?.why).toBe('something in it is nowhere else: "x.log"');
  expect(existsSync(join(path, 'x.log'))).toBe(true);
});

it.each(['../projects', 'attempt_1-9', '', '.'])(
  'the workspace %j does not exist and cannot be removed',
  async (name) => {
    await make(1);
    const refusal = await ground.workspaces.reclaim([name], never).catch((error: unknown) => error);
    expect(isFault(refusal, 'not_found') || isFault(refusal, 'bad_request')).toBe(true);
    expect(await readdir(join(ground.root, 'projects'))).toHaveLength(1);
  },
);
