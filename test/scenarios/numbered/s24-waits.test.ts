// S24, the part about agents: an agent that would wait for itself, through any chain, is refused at once with the cycle named.

import { afterEach, beforeEach, expect, it } from 'vitest';
import { until } from '../../until.ts';
import { answersTo, call, idOf, spawn, submitChildren } from '../children/children-world.ts';
import { endedRun } from '../crash/storm-daemon.ts';
import { recordOf } from '../crash/storm-record.ts';
import type { World } from '../daemon/daemon-world.ts';
import { shareDaemon } from '../world/shared-world.ts';

const openWorld = shareDaemon();
let world: World;
beforeEach(async () => {
  world = openWorld();
  await world.up();
});
afterEach(() => world.close());

it('S24: an agent that waits for its grandparent is refused with the cycle, and goes on [CHILD-43]', async () => {
  const grandchild = [call('wait', { tasks: ['root'] }), { turn: 'went on' }];
  const child = [spawn('grandchild', grandchild), call('wait'), { turn: 'done' }];
  const { id } = await submitChildren(world, { root: [spawn('child', child), call('wait'), { turn: 'done' }] });
  expect((await endedRun(world, id)).outcome).toBe('succeeded');
  const [refused] = answersTo(await recordOf(world, id), 'grandchild', 'wait');
  expect(refused).toMatchObject({
    isError: true,
    text: 'refused: you would wait for yourself: grandchild → root → child → grandchild',
  });
});

it('S24: of two siblings that wait for each other the second is refused, also after a restart [CHILD-43]', async () => {
  const { id } = await submitChildren(world, {
    root: [
      spawn('first', [{ waitFor: world.path('born') }, call('wait', { tasks: ['second'] }), { turn: 'done' }]),
      spawn('second', [{ waitFor: world.path('go') }, call('wait', { tasks: ['first'] }), { turn: 'done' }]),
      { write: { path: world.path('born'), text: '' } },
      call('wait'),
    ],
  });
  const waits = async () => {
    const record = await recordOf(world, id);
    return record.of('attempt.waiting').some(({ waits: { tasks } }) => tasks[0] === idOf(record, 'second'));
  };
  await until(waits, { timeoutMs: 30_000, what: 'the first to wait' });
  await world.killDaemon();
  await world.up();
  world.touch('go');
  expect((await endedRun(world, id)).outcome).toBe('succeeded');
  const record = await recordOf(world, id);
  expect(answersTo(record, 'second', 'wait')).toMatchObject([
    { isError: true, text: 'refused: you would wait for yourself: second → first → second' },
  ]);
  expect(answersTo(record, 'first', 'wait')).toMatchObject([{ isError: false }]);
});
