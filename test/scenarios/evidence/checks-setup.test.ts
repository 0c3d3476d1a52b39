// Checks on checkouts that the repository's setup has set up: which results serve, which are kept, and what a setup that
// fails comes to.

import { readdirSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { isFault } from '../../../src/std/fault.ts';
import { commitFiles } from '../git/git-repositories.ts';
import { type ChecksWorld, openChecksWorld, sh } from './checks-world.ts';

let world: ChecksWorld;
beforeEach(async () => {
  world = await openChecksWorld();
});
afterEach(() => world.ground.remove());

/** Leaves a line for each run, and installs what the tree says. */
const install = () => `echo ran >>'${world.outside('setups')}'\nmkdir node_modules && cp dep.txt node_modules/dep`;

async function setup(text: string, files: Record<string, string> = {}): Promise<void> {
  const { user } = world.ground;
  const file = join(user, '.signalbox/setup');
  await mkdir(join(user, '.signalbox'), { recursive: true });
  await writeFile(file, `#!/bin/sh\nset -e\n${text}\n`);
  await chmod(file, 0o755);
  await commitFiles(user, { '.gitignore': 'node_modules\n', 'dep.txt': 'base\n', ...files }, 'setup');
}

const locked = { 'package-lock.json': '{}\n' };
const runs = () => world.lines('setups').length;
const keptSetups = () => {
  const root = join(world.ground.root, 'setups');
  return readdirSync(root).flatMap((project) => readdirSync(join(root, project)));
};

it('the result that workspaces share serves a check, whatever else the work changed [CHECK-13]', async () => {
  await setup(install(), locked);
  const commit = await world.save(2, { 'a.txt': 'changed\n', 'dep.txt': 'work\n' });
  expect(await world.one(sh('grep base node_modules/dep'), { commit })).toMatchObject({ passed: true });
  expect(runs()).toBe(1);
});

it('where no result is kept, the setup runs once for all checks of a tree, over restarts too [CHECK-13]', async () => {
  await setup(install());
  const commit = await world.save(2, { 'dep.txt': 'work\n' });
  expect(runs()).toBe(1);
  const first = await world.run([sh('grep work node_modules/dep'), sh('rm -r node_modules')], { commit });
  expect(first.map(({ passed }) => passed)).toEqual([true, true]);
  world.reopen();
  expect(await world.one(sh('cat node_modules/dep'), { commit })).toMatchObject({ passed: true });
  expect(runs()).toBe(2);
});

it('what the setup makes of unverified work is not shared with workspaces [CHECK-14]', async () => {
  await setup(install(), locked);
  const commit = await world.save(2, { 'dep.txt': 'work\n' });
  await world.ground.workspaces.reclaim('all-with-setups', new AbortController().signal);
  expect(await world.one(sh('grep work node_modules/dep'), { commit })).toMatchObject({ passed: true });
  expect(keptSetups()).toEqual([expect.stringMatching(/^tree-/)]);
  const later = await world.save(3, { 'a.txt': 'changed\n' });
  expect(await world.one(sh('grep base node_modules/dep'), { commit: later })).toMatchObject({ passed: true });
});

it('work that changes the lockfile is checked with the setup of its own tree [CHECK-14]', async () => {
  await setup('mkdir node_modules && cp package-lock.json node_modules/dep', locked);
  const commit = await world.save(2, { 'package-lock.json': '{"work":1}\n' });
  expect(await world.one(sh('grep work node_modules/dep'), { commit })).toMatchObject({ passed: true });
});

it('a result for one tree is kept while it is among the newest four [CHECK-14]', async () => {
  await setup(install());
  for (let n = 2; n < 8; n += 1) {
    const commit = await world.save(n, { 'dep.txt': `${n}\n` });
    expect(await world.one(sh(`grep ${n} node_modules/dep`), { commit })).toMatchObject({ passed: true });
  }
  expect(keptSetups()).toHaveLength(4);
});

it('a setup that fails is an error with its last words, and no result of the check [CHECK-15]', async () => {
  await setup(`test ! -e broken.txt || { echo 'no such package: left-pad'; exit 4; }`, locked);
  const commit = await world.save(2, { 'broken.txt': 'yes\n' });
  const told = await world.one(sh('true', { name: 'unit' }), { commit }).catch((error: unknown) => error);
  expect(isFault(told, 'setup_failed')).toBe(true);
  expect((told as Error).message).toBe(
    'check "unit" could not be run: .signalbox/setup failed: exit 4: no such package: left-pad',
  );
  expect(world.kept()).toEqual([]);
  expect(readdirSync(world.results)).toEqual([]);
});

it('a check has no setup where the tree has none that can be run [CHECK-13]', async () => {
  await setup(install(), locked);
  await chmod(join(world.ground.user, '.signalbox/setup'), 0o644);
  await commitFiles(world.ground.user, {}, 'not executable');
  const commit = await world.save(2, { 'a.txt': 'changed\n' });
  expect(await world.one(sh('test ! -e node_modules'), { commit })).toMatchObject({ passed: true });
});
