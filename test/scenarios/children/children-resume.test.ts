// A run whose lead has spawned agents is stopped and resumed: they continue where they were.

import { existsSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { until } from '../../until.ts';
import { endedRun } from '../crash/storm-daemon.ts';
import { recordOf } from '../crash/storm-record.ts';
import { openWorld, type World } from '../daemon/daemon-world.ts';
import { call, idOf, notified, spawn, submitChildren, toldTo } from './children-world.ts';

let world: World;
beforeEach(async () => {
  world = openWorld();
  await world.up();
});
afterEach(() => world.close());

it('children that were stopped with their lead go on with it in their sessions and on their work, and it waits for them [CHILD-63] [CHILD-99]', async () => {
  const kid = [
    { write: { path: 'half.txt', text: 'half\n' } },
    { write: { path: world.path('begun'), text: '' } },
    { waitFor: world.path('go') },
    { turn: 'the whole' },
  ];
  const lead = [
    spawn('bad', [{ fail: 'refusal' }]),
    call('wait'),
    spawn('kid', kid),
    call('wait'),
    call('wait'),
    { turn: 'all of it' },
  ];
  const { id } = await submitChildren(world, { lead }, { all: { sandbox: 'none' } });
  await until(() => existsSync(world.path('begun')), { timeoutMs: 30_000, what: 'the kid to work' });
  expect((await world.sb(['stop', id])).code).toBe(0);
  expect((await endedRun(world, id)).outcome).toBe('stopped');
  expect((await world.sb(['resume', id, '--detach'])).code).toBe(0);
  await world.killDaemon();
  await world.up();
  world.touch('go');
  expect((await endedRun(world, id)).outcome).toBe('succeeded');
  const record = await recordOf(world, id);
  const started = (name: string) => record.of('attempt.started').filter(({ taskId }) => taskId === idOf(record, name));
  for (const name of ['lead', 'kid']) {
    const [first, second] = started(name);
    expect(second).toMatchObject({ agentId: first?.agentId, continues: first?.attemptId });
    expect(second?.why).toBe('it was stopped with others, and goes on');
    expect(toldTo(world, record, name).join('\n')).toContain('and go on now, in this conversation.');
  }
  expect(started('bad')).toHaveLength(1);
  // A script is given up when its agent is interrupted; what it wrote is still there.
  expect((await world.sb(['diff', 'kid'])).stdout).toContain('+half');
  expect(notified(toldTo(world, record, 'lead'))).toEqual(['bad', 'kid']);
  const ps = await world.sb(['ps', id]);
  expect(ps.stdout).toMatch(/ kid /);
});
