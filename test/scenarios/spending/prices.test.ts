// A broken file of prices on the whole program: it is reported wherever a person would look, and stops nothing.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openWorld, type World } from '../daemon/daemon-world.ts';

let world: World;

beforeEach(() => {
  world = openWorld();
});
afterEach(() => world.close());

it('a broken prices.json is reported by run, status and doctor, and fixing it needs no restart [COST-4]', async () => {
  const path = join(world.home, 'prices.json');
  mkdirSync(world.home, { mode: 0o700 });
  writeFileSync(path, '{ "mine": { "input": 1, "output": 1, "cache": 1 } }');
  const why = `${path} is not used: "mine" has the unknown key "cache"`;
  const run = await world.sb(['run', 'x', '--script', world.script([{ say: 'done' }])]);
  expect([run.code, run.stderr]).toEqual([0, expect.stringContaining(why)]);
  expect((await world.sb(['status'])).stdout).toContain(`prices     ${why}`);
  expect((await world.sb(['doctor'])).stdout).toMatch(/^degraded +prices +.* is not used/m);

  writeFileSync(path, '{ "mine": { "input": 1, "output": 1 } }');
  expect((await world.sb(['status'])).stdout).not.toContain('prices');
  expect((await world.sb(['doctor'])).stdout).toContain(`and 1 of your own in ${path}`);
  const again = await world.sb(['run', 'x', '--script', world.script([{ say: 'done' }])]);
  expect(again.stderr).not.toContain('prices.json');
});
