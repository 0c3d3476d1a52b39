// A lead that waits for a time at most looks after its children at that time, though they have all the slots there are.

import { existsSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { until } from '../../until.ts';
import { endedRun } from '../crash/storm-daemon.ts';
import { recordOf } from '../crash/storm-record.ts';
import { openWorld, type World } from '../daemon/daemon-world.ts';
import { call, spawn, submitChildren, toldTo } from './children-world.ts';

let world: World;
beforeEach(async () => {
  world = openWorld({ SIGNALBOX_SLOTS: '2' });
  await world.up();
});
afterEach(() => world.close());

it('a wait with a time limit ends at that time while long commands hold all slots, over a restart [CHILD-31] [HOST-7]', async () => {
  // Each goes on until the lead has looked: without that nothing of this would ever end.
  const long = [{ run: `until test -e '${world.path('looked')}'; do sleep 0.1; done` }, { turn: 'done' }];
  const lead = [
    spawn('left', long),
    spawn('right', long),
    call('wait', { timeout_s: 5 }),
    { write: { path: world.path('looked'), text: '' } },
    call('wait'),
    { turn: 'all of it' },
  ];
  const { id } = await submitChildren(world, { lead }, { all: { sandbox: 'none' } });
  const parked = async () => (await recordOf(world, id)).of('attempt.parked').length > 0;
  await until(parked, { timeoutMs: 30_000, what: 'the lead to be parked' });
  await world.killDaemon();
  await world.up();
  await until(() => existsSync(world.path('looked')), { timeoutMs: 30_000, what: 'the lead to go on' });
  expect((await endedRun(world, id)).outcome).toBe('succeeded');
  const record = await recordOf(world, id);
  const [waiting] = record.of('attempt.waiting');
  const [unparked] = record.of('attempt.unparked');
  expect(unparked?.at).toBeGreaterThanOrEqual(waiting?.waits.until ?? Number.POSITIVE_INFINITY);
  expect(toldTo(world, record, 'lead')[1]).toContain('> The time that you wanted to wait is over.');
});
