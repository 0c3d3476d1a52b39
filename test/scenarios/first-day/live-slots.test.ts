// Slots follow the user's configuration while agents work: no daemon is restarted.

import { afterEach, beforeEach, expect, it } from 'vitest';
import { statusView } from '../../../src/wire/status-views.ts';
import { until } from '../../until.ts';
import { openWorld, type World, writeConfiguration } from '../daemon/daemon-world.ts';
import { waitsFor } from '../world/wait-words.ts';

let world: World;
beforeEach(() => {
  world = openWorld({ SIGNALBOX_SLOTS: '' });
  writeConfiguration(world.dir, 'harness: scripted\nslots: 1\n');
});
afterEach(() => world.close());

const slots = async (): Promise<number> => (await world.client().get('/status', statusView)).slots.all;
const becomes = (count: number) =>
  until(async () => (await slots()) === count, { timeoutMs: 20_000, what: `${count} slots` });

it('a waiting task says what to raise, and starts when the number is raised; a broken file changes nothing [CONF-8]', async () => {
  const script = world.script([{ waitFor: world.path('go') }]);
  await world.sb(['run', 'one', 'two', '--script', script, '--detach']);
  const { run } = await world.only();
  const states = async () => (await world.only()).run.tasks.map(({ state }) => state);
  await until(async () => (await states()).includes('active'), { timeoutMs: 20_000, what: 'one at work' });
  const waiting = (await world.only()).run.tasks.find(({ state }) => state === 'ready');
  expect(waiting === undefined ? '' : waitsFor(waiting)).toBe(
    'a slot: all 1 are taken (raise "slots" in your configuration)',
  );
  const pid = world.daemonPid();
  writeConfiguration(world.dir, 'harness: scripted\nslots: none\n');
  expect((await world.sb(['run', 'three'])).code).toBe(2);
  writeConfiguration(world.dir, 'harness: scripted\nslots: { all: 3, scripted: 2 }\n');
  await becomes(3);
  await until(async () => (await states()).join() === 'active,active', { timeoutMs: 20_000, what: 'both at work' });
  expect(world.daemonPid()).toBe(pid);
  world.touch('go');
  expect((await world.ended()).run).toMatchObject({ id: run.id, outcome: 'succeeded' });
});
