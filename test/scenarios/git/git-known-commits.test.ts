// Which commits an attempt can name: the project's, its agent's own, and no others.

import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { commitFiles, type Ground, makeDirectory, never, orderFor, run } from './git-repositories.ts';

let ground: Ground;
beforeEach(async () => {
  ground = await makeDirectory();
});
afterEach(() => ground.remove());

it('commits of the project and of the workspace are known; trees, blobs and other ids are not [EVID-7]', async () => {
  const { path, base } = await ground.workspaces.prepare(orderFor(ground), never);
  const own = await commitFiles(path, { 'new.txt': 'n\n' }, 'work');
  const tree = run(path, 'rev-parse', `${own}^{tree}`);
  const foreign = await commitFiles(ground.user, { 'later.txt': 'l\n' }, 'not of this run');
  const asked = [base, own, tree, foreign, 'f'.repeat(40), 'HEAD', '--all'];
  const unknown = await ground.workspaces.unknownCommits('attempt_1-1', asked, never);
  expect(unknown).toEqual([tree, foreign, 'f'.repeat(40), 'HEAD', '--all']);
});

it('a pipe in the repository of an agent holds nothing up for long [EVID-7]', async () => {
  const { path, base } = await ground.workspaces.prepare(orderFor(ground), never);
  const packs = join(path, '.git/objects/info/alternates');
  rmSync(packs);
  execFileSync('mkfifo', [packs]);
  const unknown = await ground.workspaces.unknownCommits('attempt_1-1', [base, 'f'.repeat(40)], never);
  expect(unknown).toEqual(['f'.repeat(40)]);
}, 40_000);
