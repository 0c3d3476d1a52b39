// Teams of scripted agents in real processes: members race for items, rest without a process, outlive kills of the daemon, are
// written to by name and all at once, and come to their end: by themselves, by agreement, and by force.

import { existsSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { RunEvent } from '../../../src/wire/event-names.ts';
import { clientIds } from '../../../src/wire/id-pattern.ts';
import type { CreateRunInput } from '../../../src/wire/request-schemas.ts';
import type { TeamView } from '../../../src/wire/team-views.ts';
import type { RunView } from '../../../src/wire/views.ts';
import { until } from '../../until.ts';
import type { World } from '../daemon/daemon-world.ts';
import { ask, recordOf, runEnd } from '../spending/limits-world.ts';
import { shareDaemon } from '../world/shared-world.ts';

const openWorld = shareDaemon({ SIGNALBOX_SLOTS: '6' });
let world: World;
beforeEach(async () => {
  world = openWorld();
  await world.up();
});
afterEach(() => world.close());

const slow = { timeoutMs: 40_000 };
const call = (tool: string, input: object) => ({ call: { tool: `mcp__signalbox__${tool}`, input } });
const team = 'children';
const claim = (n: number) => call('claim_task', { team, n });
const done = (n: number) => call('team_tasks', { team, done: [{ n, result: `made ${n}` }] });
const member = (name: string, script: readonly object[]) =>
  call('spawn_agent', { name, prompt: `Work as ${name} of the children on what its list says.`, team, script });

/** A run of one task, whose agent leads. */
async function lead(script: readonly object[], children: CreateRunInput['children']): Promise<string> {
  const task = { name: 'lead', prompt: 'lead', settings: { script: JSON.stringify(script) } };
  const body: CreateRunInput = {
    id: clientIds.run(),
    name: 'led',
    repo: { path: world.repo },
    tasks: [task],
    children,
  };
  const { status, body: answered } = await ask(world, 'POST', '/runs', body);
  expect(status, JSON.stringify(answered)).toBe(200);
  return (answered as RunView).id;
}

async function childLimitsOf(runId: string): Promise<TeamView | undefined> {
  const { body } = await ask(world, 'GET', `/runs/${runId}/teams`);
  return (body as { teams: readonly TeamView[] }).teams[0];
}

const stateOf = (children: TeamView | undefined, name: string) =>
  children?.members.find(({ task }) => task === name)?.state;
const answersOf = (record: readonly RunEvent[], tool: string): string[] =>
  record.flatMap((event) => (event.type === 'call.answered' && event.tool === tool ? [event.text] : []));
const outcomes = ({ tasks }: RunView) => Object.fromEntries(tasks.map(({ name, outcome }) => [name, outcome?.kind]));

async function restarted(): Promise<void> {
  await world.killDaemon();
  await world.up();
}

it('exactly one member gets each item; members rest without a process, survive two kills, and end when there is no more work [TEAM-2] [TEAM-4] [TEAM-6] [TEAM-8] [TEAM-9]', async () => {
  const race = [claim(1), claim(2), { waitFor: world.path('go') }, done(1), done(2)];
  const worker = (name: string) =>
    member(name, [
      { keep: { path: world.path(`${name}.jsonl`) } },
      ...race,
      { turn: 'I rest.' },
      claim(3),
      done(3),
      { turn: 'I rest again.' },
    ]);
  const last = [{ waitFor: world.path('release') }, call('send_message', { to: `team:${team}`, text: 'all is made' })];
  const runId = await lead(
    [
      call('team_create', { name: team, purpose: 'to make three things' }),
      call('team_tasks', { team, add: [{ title: 'one' }, { title: 'two' }, { title: 'three', needs: [1, 2] }] }),
      worker('ann'),
      worker('bob'),
      member('cy', [...race, ...last]),
      { turn: 'The children is at it.' },
    ],
    { idleMs: 200 },
  );
  // All have raced; the late ones were told which member has it.
  await until(async () => answersOf(await recordOf(world, runId), 'claim_task').length === 6, {
    ...slow,
    what: 'six claims',
  });
  const before = await childLimitsOf(runId);
  expect(before?.items.map(({ state }) => state)).toEqual(['claimed', 'claimed', 'waits']);
  await world.killDaemon();
  world.touch('go');
  await world.up();

  await until(async () => (await childLimitsOf(runId))?.items[2]?.state === 'done', {
    ...slow,
    what: 'the third item',
  });
  await until(async () => world.agents().length === 1, { ...slow, what: 'all but one to rest without a process' });
  const resting = await childLimitsOf(runId);
  expect(['ann', 'bob', 'cy'].map((name) => stateOf(resting, name))).toEqual(['rests', 'rests', 'at work']);
  expect(resting?.items.slice(0, 2).map(({ by }) => by)).toEqual(before?.items.slice(0, 2).map(({ by }) => by));
  const waits = /^ {2}ann +rests +- +waits for work of team "children"$/m;
  await until(async () => waits.test((await world.sb(['teams', runId])).stdout), { ...slow, what: 'ann to be shown' });
  await restarted();
  world.touch('release');

  const run = await runEnd(world, runId);
  expect(outcomes(run)).toEqual({ lead: 'succeeded', ann: 'succeeded', bob: 'succeeded', cy: 'succeeded' });
  const record = await recordOf(world, runId);
  const claimed = record.flatMap((event) => (event.type === 'team.itemClaimed' ? [event.n] : []));
  expect(claimed.toSorted((a, b) => a - b)).toEqual([1, 2, 3]);
  const late = answersOf(record, 'claim_task').filter((text) => text.startsWith('refused'));
  for (const text of late) expect(text).toMatch(/item \d is (held|done) by "(ann|bob|cy)"/);
  expect(record.filter(({ type }) => type === 'team.itemOffered')).toHaveLength(1);
  for (const name of ['ann', 'bob']) expect(world.text(`${name}.jsonl`)).toContain('all is made');
  // The same agents all the time, in processes that came and went.
  expect(record.filter(({ type }) => type === 'agent.created')).toHaveLength(4);
  for (const { name, attempt } of run.tasks)
    expect(attempt?.launches.length, name).toBeGreaterThan(name === 'cy' ? 0 : 1);
  expect((await world.sb(['teams', runId])).stdout).toContain(
    'team children, led by lead, ended: to make three things',
  );
});

it('deletion is asked and agreed, or forced after a grace; until then a team cannot be deleted [TEAM-7, TEAM-15]', async () => {
  const remove = (force: boolean) => call('team_delete', { team, force });
  const agree = call('send_message', { to: 'lead', type: 'shutdown-agreed', text: 'gladly' });
  const runId = await lead(
    [
      call('team_create', { name: team }),
      member('ann', [{ turn: 'I rest.' }, { write: { path: 'ann.txt', text: 'made\n' } }, agree]),
      member('bob', [{ write: { path: world.path('bob'), text: '' } }, { waitFor: world.path('never') }]),
      { waitFor: world.path('bob') },
      { waitFor: world.path('go') },
      remove(false),
      { turn: 'They are asked.' },
      remove(true),
      { turn: 'One has agreed.' },
      remove(false),
    ],
    { idleMs: 200, shutdownMs: 1_500 },
  );
  await until(async () => stateOf(await childLimitsOf(runId), 'ann') === 'rests', { ...slow, what: 'ann to rest' });
  await until(() => existsSync(world.path('bob')), { ...slow, what: 'bob to be at work' });
  world.touch('go');
  const run = await runEnd(world, runId);
  expect(outcomes(run)).toEqual({ lead: 'succeeded', ann: 'succeeded', bob: 'stopped' });
  const [asked, forced, deleted] = answersOf(await recordOf(world, runId), 'team_delete');
  expect(asked).toContain('refused: team "children" has active members');
  expect(asked).toContain('- ann: rests\n- bob: at work');
  expect(forced).toContain('- bob: at work');
  expect(forced).not.toContain('ann');
  expect(deleted).toBe('Team "children" is deleted; 0 of 0 items were not done.');
  // Its work is that of any task.
  expect(run.tasks.find(({ name }) => name === 'ann')?.attempt?.commit).toMatch(/^[0-9a-f]{40}$/);
});
