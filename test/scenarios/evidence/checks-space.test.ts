// Results of checks on the disk: used ones stay, unused ones are removed.

import { readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { never } from '../git/git-repositories.ts';
import { type ChecksWorld, openChecksWorld, sh } from './checks-world.ts';

let world: ChecksWorld;
beforeEach(async () => {
  world = await openChecksWorld();
});
afterEach(() => world.ground.remove());

const days = 24 * 60 * 60;
const age = (key = '', by = 0): void => {
  const at = Date.now() / 1000 - by;
  for (const name of readdirSync(world.results))
    if (name.startsWith(key)) utimesSync(join(world.results, name), at, at);
};
const told = async () =>
  (await world.ground.workspaces.inspectSpace(never))
    .filter(({ kind }) => kind === 'checks')
    .map(({ name, removable, why }) => [name, removable, why]);

it('results unused for 30 days may be removed, with their logs [CHECK-11]', async () => {
  expect(await told()).toEqual([]);
  const [old, asked, fresh] = await world.run([sh('echo old'), sh('echo asked'), sh('echo fresh')]);
  expect(await told()).toEqual([['used', false, '3 results were asked for in the last 30 days']]);
  age(old?.key, 31 * days);
  age(asked?.key, 31 * days);
  expect(await world.one(sh('echo asked'))).toMatchObject({ known: true });
  expect(await told()).toEqual([
    ['used', false, '2 results were asked for in the last 30 days'],
    ['unused', true, 'one result was not asked for in 30 days, and a check can be run again'],
  ]);
  const { removed } = await world.ground.workspaces.reclaim('all', never);
  expect(removed.filter(({ kind }) => kind === 'checks').map(({ name }) => name)).toEqual(['unused']);
  const left = readdirSync(world.results).map((name) => name.split('.')[0]);
  expect(new Set(left)).toEqual(new Set([asked?.key, fresh?.key]));
  expect(left).toHaveLength(4);
  expect(await world.one(sh('echo old'))).toMatchObject({ passed: true, known: false });
  expect(await world.one(sh('echo asked'))).toMatchObject({ known: true });
});
