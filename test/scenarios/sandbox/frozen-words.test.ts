// Agents that are frozen because the disk is nearly full: every view says why nothing happens.

import { afterEach, beforeEach, expect, it } from 'vitest';
import { until } from '../../until.ts';
import { openWorld, type World } from '../daemon/daemon-world.ts';

let world: World;
beforeEach(() => {
  // More than any disk has free.
  world = openWorld({ SIGNALBOX_FREE_MIN: '1000000000' });
});
afterEach(() => world.close());

it('ps says that agents are frozen, and why [CAP-3]', async () => {
  await world.sb(['run', 'slow', '-d', '--script', world.script([{ wait: 3_600_000 }])]);
  const told = async () =>
    (await world.sb(['ps'])).stderr.includes('Agents are frozen because the disk is nearly full');
  await until(told, { timeoutMs: 30_000, what: 'ps to say it' });
  await world.sb(['stop', 'slow']);
  expect((await world.ended()).run.outcome).toBe('stopped');
});
