// A run stays with the commit it started with: what we have of the user's repository is asked before that is.

import { rename } from 'node:fs/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { commitFiles, type Ground, makeDirectory, never, orderFor, run } from './git-repositories.ts';

let ground: Ground;
beforeEach(async () => {
  ground = await makeDirectory();
});
afterEach(() => ground.remove());

it('the next task of a run is prepared although the repository was moved away [WS-24]', async () => {
  const [one, two] = [orderFor(ground, 1), orderFor(ground, 2)];
  await ground.workspaces.prepare(one, never);
  await rename(ground.user, `${ground.user}-moved`);
  const { path, base, notes } = await ground.workspaces.prepare(two, never);
  expect(notes).toEqual([`nothing was copied for .worktreeinclude: ${ground.user} is gone`]);
  expect(base).toBe(one.repo.base);
  expect(run(path, 'status', '--porcelain')).toBe('');
});

it('another base of the same repository is copied [WS-24]', async () => {
  await ground.workspaces.prepare(orderFor(ground, 1), never);
  const base = await commitFiles(ground.user, { 'c.txt': 'three\n' }, 'second');
  expect((await ground.workspaces.prepare(orderFor(ground, 2), never)).base).toBe(base);
});
