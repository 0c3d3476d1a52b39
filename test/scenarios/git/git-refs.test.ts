// Refs of ours, written by hand as git writes them: git reads what we wrote, and we what git packed.

import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readRef, writeRef } from '../../../src/git/commands/refs.ts';
import { bareOf, type Ground, makeDirectory, never, orderFor, run } from './git-repositories.ts';

const ref = 'refs/signalbox/run_1/task_9/1';
let ground: Ground;
let bare: string;
let base: string;
beforeEach(async () => {
  ground = await makeDirectory();
  ({ base } = await ground.workspaces.prepare(orderFor(ground), never));
  bare = await bareOf(ground);
});
afterEach(() => ground.remove());

const other = () => run(bare, 'commit-tree', `${base}^{tree}`, '-p', base, '-m', 'other');

it("git reads our refs, and we read git's, also packed ones", async () => {
  expect(await readRef(bare, ref, never)).toBeNull();
  await writeRef(bare, ref, { from: null, to: base }, never);
  expect(run(bare, 'rev-parse', ref)).toBe(base);
  run(bare, 'pack-refs', '--all', '--prune');
  expect(await readRef(bare, ref, never)).toBe(base);
  const next = other();
  await writeRef(bare, ref, { from: base, to: next }, never);
  expect(run(bare, 'rev-parse', ref)).toBe(next);
  expect(await readRef(bare, ref, never)).toBe(next);
  run(bare, 'update-ref', ref, base);
  expect(await readRef(bare, ref, never)).toBe(base);
  expect(run(bare, 'fsck', '--connectivity-only', '--no-dangling')).toBe('');
});

it('a ref that has moved since it was read is left alone', async () => {
  await writeRef(bare, ref, { from: null, to: base }, never);
  const next = other();
  await expect(writeRef(bare, ref, { from: null, to: next }, never)).rejects.toMatchObject({ code: 'git_failed' });
  await expect(writeRef(bare, ref, { from: next, to: next.replace(/./g, '1') }, never)).rejects.toThrow();
  expect(run(bare, 'rev-parse', ref)).toBe(base);
  await writeRef(bare, ref, { from: base, to: next }, never);
  expect(await readRef(bare, ref, never)).toBe(next);
});

it('a ref that a crash left torn is none, neither to us nor to git', async () => {
  await mkdir(join(bare, 'refs/signalbox/run_1/task_9'), { recursive: true });
  await writeFile(join(bare, `${ref}.lock`), base.slice(0, 10));
  expect(await readRef(bare, ref, never)).toBeNull();
  expect(run(bare, 'for-each-ref', 'refs/signalbox/run_1/task_9')).toBe('');
});

it('the lock of a killed daemon does not hold up the next, that of a working process does', async () => {
  await mkdir(join(bare, 'refs/signalbox/run_1/task_9'), { recursive: true });
  const lock = join(bare, `${ref}.lock`);
  await writeFile(lock, base.slice(0, 10));
  await expect(writeRef(bare, ref, { from: null, to: base }, never)).rejects.toThrow(
    'another process is writing this ref',
  );
  const before = new Date(performance.timeOrigin - 100);
  await utimes(lock, before, before);
  await writeRef(bare, ref, { from: null, to: base }, never);
  expect(await readRef(bare, ref, never)).toBe(base);
});
