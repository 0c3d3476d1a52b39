// Waiting agents cost no process, however many they are, and one that gets a message is back at once.

import { afterEach, beforeEach, expect, it } from 'vitest';
import { until } from '../../until.ts';
import { recordOf } from '../crash/storm-record.ts';
import { openWorld, type World } from '../daemon/daemon-world.ts';
import { call, submitChildren } from './children-world.ts';

let world: World;
beforeEach(async () => {
  world = openWorld({ SIGNALBOX_SLOTS: '8' });
  await world.up();
});
afterEach(() => world.close());

const agents = 200;

it(`${agents} waiting agents have no process, and one that gets a message wakes alone [CHILD-47]`, {
  timeout: 400_000,
}, async () => {
  const names = Array.from({ length: agents }, (_, i) => `w${i}`);
  const script = [
    { keep: { path: world.path('heard') } },
    call('ask_person', { question: 'May I go on now?' }),
    { turn: 'x' },
  ];
  const { id } = await submitChildren(world, Object.fromEntries(names.map((name) => [name, script])), {
    limits: { idleMs: 50 },
  });
  const parked = async () => (await recordOf(world, id)).of('attempt.parked').length === agents;
  await until(parked, { timeoutMs: 300_000, what: 'all of them to be parked' });
  await until(() => world.agents().length === 0, { what: 'no agent to have a process' });

  const since = performance.now();
  expect((await world.sb(['send', 'w7', 'Are you there?'])).code).toBe(0);
  await until(() => world.text('heard').includes('Are you there?'), { timeoutMs: 20_000, what: 'it to be told' });
  expect(performance.now() - since).toBeLessThan(5_000);
  const again = async () => (await recordOf(world, id)).of('attempt.parked').length === agents + 1;
  await until(again, { timeoutMs: 30_000, what: 'it to wait again' });
  await until(() => world.agents().length === 0, { what: 'it to have no process again' });
  expect((await recordOf(world, id)).of('attempt.unparked')).toHaveLength(1);
  await world.sb(['stop', id]);
});
