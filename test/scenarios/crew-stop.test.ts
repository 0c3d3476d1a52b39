// What an agent is told of one that it stops: once, with what that had come to.

import { afterEach, beforeEach, expect, it } from 'vitest';
import { call, spawn, submitCrew, toldTo } from './crew-world.ts';
import { openWorld, type World } from './daemon-world.ts';
import { settledRun } from './storm-daemon.ts';
import { recordOf } from './storm-record.ts';

let world: World;
beforeEach(async () => {
  world = openWorld();
  await world.up();
});
afterEach(() => world.close());

it('an agent that is stopped, hears nothing and is killed leaves what it said last to who asked for it, in one notification [TELL-1]', async () => {
  const deaf = [
    { say: 'I have found two of three.' },
    { write: { path: world.path('said'), text: '' } },
    { deaf: true },
    { hang: 'tool' },
  ];
  const root = [
    spawn('deaf', deaf),
    { waitFor: world.path('said') },
    call('stop_task', { task: 'deaf' }),
    call('wait'),
  ];
  const { id } = await submitCrew(world, { root: [...root, { turn: 'done' }] });
  expect((await settledRun(world, id)).outcome).toBe('succeeded');
  const record = await recordOf(world, id);
  const told = toldTo(world, record, 'root').filter((text) => text.includes('<task-notification'));
  expect(told).toHaveLength(1);
  expect(told[0]).toContain('status="stopped"');
  expect(told[0]).toContain('> I have found two of three.');
});
