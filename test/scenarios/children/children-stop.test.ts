// What an agent is told of a child that it stops: once, with its last words.

import { existsSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { until } from '../../until.ts';
import { endedRun } from '../crash/storm-daemon.ts';
import { recordOf } from '../crash/storm-record.ts';
import type { World } from '../daemon/daemon-world.ts';
import { shareDaemon } from '../world/shared-world.ts';
import { call, spawn, submitChildren, toldTo } from './children-world.ts';

const openWorld = shareDaemon();
let world: World;
beforeEach(async () => {
  world = openWorld();
  await world.up();
});
afterEach(() => world.close());

/** The one notification that an agent gets of another that does this and is stopped once it has made the file `said`. */
async function toldOfStopped(
  steps: Parameters<typeof spawn>[1],
  meanwhile: () => Promise<void> = async () => {},
): Promise<string> {
  const root = [spawn('kid', steps), { waitFor: world.path('go') }, call('stop_task', { task: 'kid' }), call('wait')];
  const { id } = await submitChildren(world, { root: [...root, { turn: 'done' }] });
  await until(() => existsSync(world.path('said')), { what: 'the words' });
  await meanwhile();
  writeFileSync(world.path('go'), '');
  expect((await endedRun(world, id)).outcome).toBe('succeeded');
  const record = await recordOf(world, id);
  const told = toldTo(world, record, 'root').filter((text) => text.includes('<task-notification'));
  expect(told).toHaveLength(1);
  expect(told[0]).toContain('status="stopped"');
  return told[0] ?? '';
}

const words = { say: 'I have found two of three.' };

it('a stopped child that ignores everything and is killed leaves its last words to its parent, in one notification [TELL-4]', async () => {
  const told = await toldOfStopped([
    words,
    { write: { path: world.path('said'), text: '' } },
    { deaf: true },
    { hang: 'tool' },
  ]);
  expect(told).toContain('> I have found two of three.');
});

it('a stopped child with open commands leaves its last words to its parent after a restart [TELL-4]', async () => {
  const steps = [
    words,
    { background: 'sleep 120' },
    // The journalled offset is beyond those words.
    { rateLimit: { rejected: false, used: 0.5 } },
    { run: `touch ${world.path('said')}; sleep 100` },
  ];
  const told = await toldOfStopped(steps, async () => {
    await world.killDaemon();
    await world.up();
  });
  expect(told).toContain('I have found two of three.');
  expect(told).not.toContain('sleep');
});
