// A person holds agents and lets them go on: at their next tool round, over any restart, in the same sessions.

import { existsSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';
import { until } from '../../until.ts';
import { openWorld, type World } from '../daemon/daemon-world.ts';
import { detached, recordOf, runEnd, runOf } from '../spending/limits-world.ts';

let world: World;
afterEach(() => world.close());

const timeoutMs = 20_000;
/** Three rounds; the first ends when the test lets it. */
const steps = () => [
  { run: `touch ${world.path('begun')}; until [ -e ${world.path('go')} ]; do sleep 0.05; done` },
  // Its model thinks.
  { waitFor: world.path('thought') },
  { run: `echo two >>${world.path('effects')}` },
  { write: { path: 'done.txt', text: 'done\n' } },
  { say: 'All is done.' },
];

async function begun(...options: string[]): Promise<string> {
  world = openWorld();
  const { id } = await detached(world, [
    'work',
    '--name',
    'work',
    '--script',
    world.script(steps()),
    '--sandbox',
    'none',
    '--allow',
    '*',
    ...options,
  ]);
  await until(() => existsSync(world.path('begun')), { timeoutMs, what: 'the agent to be in its first round' });
  return id;
}

const isParked = async (id: string): Promise<boolean> => {
  return (await runOf(world, id)).tasks[0]?.wait?.kind === 'pause';
};

it('an agent that asks at each tool round is held at its next one, over kill -9, and goes on in its session [PAUSE-1] [PAUSE-2]', async () => {
  const id = await begun('--max-usd', '5');
  const held = await world.sb(['pause', 'work']);
  expect([held.code, held.stdout]).toEqual([0, expect.stringContaining(`signalbox unpause ${id}`)]);
  world.touch('go');
  await until(() => isParked(id), { timeoutMs, what: 'the agent to be held' });
  await world.killDaemon();
  expect((await world.sb(['ps'])).stdout).toMatch(/waits for "signalbox unpause": \S+ paused this run at \d\d:\d\d/);
  expect(await isParked(id)).toBe(true);
  expect(existsSync(world.path('effects'))).toBe(false);
  world.touch('thought');
  const late = await world.sb(['unpause', 'work']);
  expect(late.code, late.stderr).toBe(0);
  expect((await runEnd(world, id)).outcome).toBe('succeeded');
  expect(world.text('effects')).toBe('two\n');
  await expectHeld(id);
});

it('an agent that does not ask is interrupted when its tool round is over, and told when it may go on [PAUSE-1] [PAUSE-2]', async () => {
  const id = await begun();
  expect((await world.sb(['pause', 'work'])).code).toBe(0);
  world.touch('go');
  await until(() => isParked(id), { timeoutMs, what: 'the agent to be held' });
  // What ran was not cut off.
  expect((await world.sb(['logs', '--json', 'work'])).stdout).toContain('"tool_result"');
  expect((await world.sb(['unpause', 'work'])).code).toBe(0);
  await runEnd(world, id);
  expect((await world.sb(['logs', '--json', 'work'])).stdout).toContain('A person paused you, and lets you go on now.');
  await expectHeld(id);
});

/** One attempt in one session, and no process between pause and unpause. */
async function expectHeld(id: string): Promise<void> {
  const events = await recordOf(world, id);
  const sessions = events.flatMap((event) => (event.type === 'agent.session' ? [event.session] : []));
  expect(new Set(sessions).size).toBe(1);
  expect(events.filter(({ type }) => type === 'attempt.started')).toHaveLength(1);
  const at = (type: string): number => events.findIndex((event) => event.type === type);
  const meanwhile = events.slice(at('run.paused'), at('run.unpaused'));
  expect(meanwhile.some(({ type }) => type === 'launch.intended')).toBe(false);
}

it('while all are paused nothing starts, also of new runs; status and ps say who paused them [PAUSE-3]', async () => {
  world = openWorld();
  await world.up();
  expect((await world.sb(['pause'])).code).toBe(0);
  const { id } = await detached(world, ['later', '--name', 'later', '--script', world.script([{ say: 'Hello.' }])]);
  await world.killDaemon();
  await world.up();
  expect((await world.sb(['status'])).stdout).toMatch(
    /^paused {5}all agents, by \S+ since \d\d:\d\d.*signalbox unpause$/m,
  );
  expect((await world.sb(['ps'])).stdout).toContain('paused all agents at');
  const one = await world.sb(['unpause', 'later']);
  expect([one.code, one.stderr]).toEqual([1, expect.stringContaining('has paused all agents, not this run alone')]);
  expect((await recordOf(world, id)).some(({ type }) => type === 'attempt.started')).toBe(false);
  expect((await world.sb(['unpause'])).code).toBe(0);
  expect((await runEnd(world, id)).outcome).toBe('succeeded');
  const again = await world.sb(['unpause']);
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('nothing is paused')]);
});

it('a run that is paused can be stopped [PAUSE-4]', async () => {
  const id = await begun();
  expect((await world.sb(['pause'])).code).toBe(0);
  world.touch('go');
  await until(() => isParked(id), { timeoutMs, what: 'the agent to be held' });
  expect((await world.sb(['stop', 'work'])).code).toBe(0);
  expect((await runEnd(world, id)).outcome).toBe('stopped');
});
