// Transcripts of launches that have ended are compressed, and read as before.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { until } from '../../until.ts';
import { openWorld, type World } from '../daemon/daemon-world.ts';

let world: World;
beforeEach(() => {
  world = openWorld();
});
afterEach(() => world.close());

it('an ended transcript is compressed by the next daemon, and logs print the same, character for character [PROC-9]', async () => {
  const script = world.script([{ say: `${'long '.repeat(5_000)}end` }]);
  await world.sb(['run', 'speak', '--script', script]);
  const { task } = await world.only();
  const before = await world.sb(['logs', task.id]);
  expect(before.stdout).toContain('long long');
  await world.sb(['down']);
  await world.up();
  const out = join(world.home, 'launches', task.attempt?.launches.at(-1) ?? '', 'out');
  await until(() => existsSync(`${out}.gz`) && !existsSync(out), { what: 'it is compressed' });
  const after = await world.sb(['logs', task.id]);
  expect(after.stdout).toBe(before.stdout);
});
