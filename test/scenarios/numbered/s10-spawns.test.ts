// S10, the part about agents: five of them would become 361. No more are made than allowed, at once and ever, over kills of the
// daemon; each refusal says why, and a person is notified once.

import { afterEach, beforeEach, expect, it } from 'vitest';
import { until } from '../../until.ts';
import { answersTo, call, type Step, submitChildren } from '../children/children-world.ts';
import { endedRun } from '../crash/storm-daemon.ts';
import { type Record, recordOf } from '../crash/storm-record.ts';
import { openWorld, type World } from '../daemon/daemon-world.ts';

let world: World;
beforeEach(async () => {
  world = openWorld({ SIGNALBOX_SLOTS: '50' });
  await world.up();
});
afterEach(() => world.close());

const [atOnce, ever, wanted] = [20, 25, 361];
const leads = ['a', 'b', 'c', 'd', 'e'];
const timeoutMs = 150_000;

it('S10: five agents that would become 361 become 25, over a restart [CHILD-42] [CHILD-44]', {
  timeout: 200_000,
}, async () => {
  const child = { prompt: 'Wait until you may go.', harness: 'scripted', script: [{ waitFor: world.path('go') }] };
  const wish = (lead: string, repeat: number, name: string): Step => ({
    call: { ...(call('spawn_agent', { name: `${lead}.${name}`, ...child })['call'] as object), repeat },
  });
  const wishesOf = (i: number) => Math.floor((wanted - leads.length + leads.length - 1 - i) / leads.length);
  const script = (lead: string, i: number): Step[] => [
    wish(lead, wishesOf(i), '{n}'),
    { waitFor: world.path('again') },
    wish(lead, 1, 'late'),
    call('wait'),
  ];
  const limits = { agentsMax: ever - leads.length, childrenMax: wanted, spawnsPerMinute: wanted, idleMs: 500 };
  const scripts = Object.fromEntries(leads.map((lead, i) => [lead, script(lead, i)]));
  const { id } = await submitChildren(world, scripts, { limits, parallelMax: atOnce });

  const asked = async (count: number) => (await recordOf(world, id)).of('call.answered').length >= count;
  await until(() => asked(60), { timeoutMs, what: 'the first to be refused' });
  await world.killDaemon();
  await world.up();
  await until(() => asked(wanted - leads.length), { timeoutMs, what: 'all to have asked' });
  expect(world.agents().length).toBeLessThanOrEqual(atOnce);
  await world.killDaemon();
  await world.up();
  world.touch('again');
  world.touch('go');

  expect((await endedRun(world, id, timeoutMs)).outcome).toBe('succeeded');
  const record = await recordOf(world, id);
  expect(record.of('agent.created')).toHaveLength(ever);
  expect(record.of('task.added')).toHaveLength(ever);
  expect(mostAtOnce(record)).toBeLessThanOrEqual(atOnce);
  const answers = leads.flatMap((lead) => answersTo(record, lead, 'spawn_agent'));
  expect(answers).toHaveLength(wanted);
  const refused = answers.filter(({ isError }) => isError);
  expect(refused).toHaveLength(wanted - (ever - leads.length));
  for (const { text } of refused) expect(text).toContain(`(limit agents-in-all: ${ever - leads.length})`);
  expect(record.of('limit.reached')).toMatchObject([{ limit: 'agentsMax', max: ever - leads.length }]);
});

/** Attempts that had a slot at the same time. */
function mostAtOnce({ events }: Record): number {
  const held = new Set<string>();
  let most = 0;
  for (const event of events) {
    if (event.type === 'attempt.started' || event.type === 'attempt.unparked') held.add(event.attemptId);
    if (event.type === 'attempt.parked' || event.type === 'attempt.ended') held.delete(event.attemptId);
    most = Math.max(most, held.size);
  }
  return most;
}
