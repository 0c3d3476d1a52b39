// Stopping: by word, by TERM, by KILL, each after its grace; what a stop leaves, and how a stopped run goes on.

import { existsSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { until } from '../../until.ts';
import { shareDaemon } from '../world/shared-world.ts';
import type { World } from './daemon-world.ts';

const openWorld = shareDaemon();
let world: World;

beforeEach(() => {
  world = openWorld();
});

afterEach(() => world.close());

const timeoutMs = 40_000;

/** Types of the run's events, and the rungs of the ladder that were needed. */
const record = async (): Promise<{ types: string[]; rungs: string[] }> => {
  const { run } = await world.only();
  const { stdout } = await world.sb(['events', run.id, '--json']);
  const events = stdout
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { event: { type: string; rung?: string } }).event);
  return { types: events.map(({ type }) => type), rungs: events.flatMap(({ rung }) => rung ?? []) };
};

/** Marks that it is there, then does the rest. */
const begun = async (...steps: object[]): Promise<string> => {
  const script = world.script([
    { write: { path: 'unfinished', text: 'kept' } },
    { write: { path: world.path('begun'), text: '' } },
    ...steps,
  ]);
  await world.sb(['run', 'stubborn', '--detach', '--script', script]);
  await until(() => world.agents().length === 1, { timeoutMs, what: 'the agent' });
  await until(() => existsSync(world.path('begun')), { timeoutMs, what: 'the agent to begin' });
  return (await world.only()).run.id;
};

const endedAndGone = async (): Promise<void> => {
  const { run, task } = await world.ended();
  expect(run.outcome).toBe('stopped');
  expect(task.outcome?.kind).toBe('stopped');
  expect(world.agents()).toEqual([]);
  // Its work was saved all the same.
  const { gitDir, ref } = task.attempt ?? {};
  expect(world.git('--git-dir', gitDir ?? '', 'show', `${ref}:unfinished`)).toBe('kept');
};

it('a listening agent ends its turn when it is interrupted', async () => {
  await begun({ wait: 3_600_000 });
  expect(await world.sb(['stop', 'stubborn'])).toMatchObject({ code: 0 });
  await endedAndGone();
  expect((await record()).rungs).toEqual([]);
});

it('a hanging agent ends by TERM', async () => {
  const runId = await begun({ hang: true });
  expect(await world.sb(['stop', runId])).toMatchObject({ code: 0 });
  expect(await world.sb(['stop', runId])).toMatchObject({ code: 0 });
  await endedAndGone();
  expect((await record()).rungs).toEqual(['term']);
});

it('an agent that ignores everything ends by KILL, with everything it started [CLI-5] [LAU-4]', async () => {
  const runId = await begun({ run: 'setsid sleep 3600 >/dev/null 2>&1 &' }, { deaf: true }, { hang: true });
  await world.sb(['stop', runId]);
  await endedAndGone();
  expect((await record()).rungs).toEqual(['term', 'kill']);
});

it('the stop ladder goes on where it was after the daemon died', async () => {
  const runId = await begun({ deaf: true }, { hang: true });
  await world.sb(['stop', runId]);
  await world.killDaemon();
  await endedAndGone();
  const { types, rungs } = await record();
  expect(rungs).toEqual(['term', 'kill']);
  expect(types.filter((type) => type === 'stop.asked')).toHaveLength(1);
});

it('a resumed run does what is left [RUN-5]', async () => {
  const script = world.script([{ waitFor: world.path('go') }, { write: { path: 'done', text: 'yes' } }]);
  const cli = world.start(['run', 'first', 'second', '--needs-chain', '--script', script]);
  await until(() => world.agents().length === 1, { timeoutMs, what: 'the agent' });
  const { run } = await world.only();
  await world.sb(['stop', run.id]);
  expect((await cli.ended).code).toBe(1);
  expect((await world.sb(['stop', run.id])).code).toBe(1);
  world.touch('go');
  const resumed = await world.sb(['resume', run.id]);
  expect(resumed, resumed.stdout).toMatchObject({ code: 0 });
  expect(resumed.stdout).toContain('attempt 2');
  expect((await world.only()).run.outcome).toBe('succeeded');
  expect((await world.sb(['resume', run.id])).code).toBe(1);
});

it('one task of a run is stopped by its name', async () => {
  const script = world.script([{ waitFor: world.path('go') }]);
  const cli = world.start(['run', 'left', 'right', '--script', script]);
  await until(() => world.agents().length === 2, { timeoutMs, what: 'both agents' });
  await world.sb(['stop', 'left']);
  await cli.says('left   stopped');
  world.touch('go');
  expect((await cli.ended).code).toBe(1);
  const [run] = await world.list();
  expect(run?.tasks.map(({ outcome }) => outcome?.kind)).toEqual(['stopped', 'succeeded']);
});

it('down --stop-agents leaves no agent, keeps the work and can be resumed [CLI-5]', {
  timeout: timeoutMs,
}, async () => {
  const half = [{ write: { path: 'half.txt', text: 'half' } }, { append: { path: world.path('begun'), text: 'x' } }];
  const script = world.script([...half, { waitFor: world.path('go') }]);
  const { stdout } = await world.sb(['run', 'one', 'two', '--detach', '--json', '--script', script]);
  await until(() => world.text('begun') === 'xx', { timeoutMs: 20_000, what: 'both to be at work' });
  await world.killDaemon();
  const ended = await world.sb(['down', '--stop-agents']);
  expect(ended.code, ended.stderr).toBe(0);
  await until(() => world.processes().length === 0, { what: 'nothing to be left' });
  const { id, outcome, tasks } = (await world.only()).run;
  expect([id, outcome]).toEqual([(JSON.parse(stdout) as { id: string }).id, 'stopped']);
  const { gitDir = '', ref } = tasks[0]?.attempt ?? {};
  expect(world.git('--git-dir', gitDir, 'show', `${ref}:half.txt`)).toBe('half');
  world.touch('go');
  expect((await world.sb(['resume', id])).code).toBe(0);
});
