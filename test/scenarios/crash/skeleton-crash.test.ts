// The daemon dies in the middle, at moments that are certain: agents go on, nothing is lost, nothing happens twice.

import { afterEach, beforeEach, expect, it } from 'vitest';
import { until } from '../../until.ts';
import { isAlive, openWorld, readOr, type World } from '../daemon/daemon-world.ts';
import { endProcess } from './storm-daemon.ts';

let world: World;

beforeEach(() => {
  world = openWorld();
});

afterEach(() => world.close());

const timeoutMs = 30_000;

/** Does one thing, waits to be let go, does another. */
const heldScript = (): string =>
  world.script([
    { append: { path: world.path('effects'), text: 'one\n' } },
    { write: { path: world.path('held'), text: '' } },
    { waitFor: world.path('go') },
    { append: { path: world.path('effects'), text: 'two\n' } },
    { write: { path: 'result', text: 'done' } },
  ]);

/** The agent has done its first thing, remembers that it has, and waits. */
const held = async (): Promise<number> => {
  const remembered = (): boolean => {
    const agent = world.agents()[0];
    return agent !== undefined && /"stepsDone":2/.test(sessionText());
  };
  await until(remembered, { timeoutMs, what: 'the agent to be held' });
  return world.agents()[0]?.pid ?? 0;
};

const sessionText = (): string => {
  const name = agentName();
  return name === null ? '' : world.text(`home/agents/${name}/session.json`);
};

const agentName = (): string | null => {
  const agent = world.agents()[0];
  if (agent === undefined) return null;
  return /SIGNALBOX_AGENT=(agent_[^\0]+)/.exec(readOr(`/proc/${agent.pid}/environ`))?.[1] ?? null;
};

it('a daemon killed under an attached run is started again, and the run ends as if nothing had happened [CLI-2] [CLI-3]', async () => {
  const cli = world.start(['run', 'steady', '--script', heldScript()]);
  const agent = await held();
  await world.killDaemon();
  await cli.says('the daemon exited; started it again');
  expect(isAlive(agent)).toBe(true);
  world.touch('go');
  const { code, stdout } = await cli.ended;
  expect(code, stdout).toBe(0);
  expect(stdout.match(/the daemon exited/g)).toHaveLength(1);
  expect(stdout.match(/ started\n/g)).toHaveLength(1);
  const { task } = await world.only();
  expect(task.attempts).toBe(1);
  expect(task.attempt?.launches).toHaveLength(1);
  expect(world.text('effects')).toBe('one\ntwo\n');
});

it('a daemon killed while nobody watches is started by the next verb and shows the true state [CLI-1] [CLI-2]', async () => {
  await world.sb(['run', 'alone', '--detach', '--script', heldScript()]);
  const agent = await held();
  await world.killDaemon();
  world.touch('go');
  await until(() => !isAlive(agent) || world.text('effects') === 'one\ntwo\n', {
    timeoutMs,
    what: 'the agent to go on',
  });
  const { run, task } = await world.ended();
  expect(run.outcome).toBe('succeeded');
  expect(task.attempt?.launches).toHaveLength(1);
  expect(world.text('effects')).toBe('one\ntwo\n');
});

it('a daemon killed together with its agent resumes the session and repeats no finished step [CLI-4] [LAU-3]', async () => {
  await world.sb(['run', 'hard', '--detach', '--script', heldScript()]);
  const agent = await held();
  for (const { pid } of world.processes()) endProcess(pid);
  await until(() => world.processes().length === 0, { timeoutMs, what: 'all to be dead' });
  expect(isAlive(agent)).toBe(false);
  await world.sb(['ps']);
  await until(() => world.agents().length === 1, { timeoutMs, what: 'the agent to be back' });
  world.touch('go');
  const { run, task } = await world.ended();
  expect(run.outcome).toBe('succeeded');
  expect(task.attempts).toBe(1);
  expect(task.attempt?.launches).toHaveLength(2);
  expect(world.text('effects')).toBe('one\ntwo\n');
});

it('a daemon killed again and again loses nothing [CLI-2]', async () => {
  await world.sb(['run', 'again', '--detach', '--script', heldScript()]);
  await held();
  for (let n = 0; n < 5; n++) {
    await world.up();
    await world.killDaemon();
  }
  world.touch('go');
  const { run, task } = await world.ended();
  expect(run.outcome).toBe('succeeded');
  expect(task.attempt?.launches).toHaveLength(1);
  expect(world.text('effects')).toBe('one\ntwo\n');
  expect((await world.sb(['verify'])).code).toBe(0);
});

it('a daemon that is shut down leaves its agents running, and the next one adopts them [CLI-5]', async () => {
  const cli = world.start(['run', 'left', '--script', heldScript()]);
  const agent = await held();
  const down = await world.sb(['down']);
  expect(down.stdout).toContain('1 agent continues');
  const left = await cli.ended;
  expect(left.code).toBe(5);
  expect(left.stderr).toContain('was shut down');
  expect(isAlive(agent)).toBe(true);
  await world.up();
  world.touch('go');
  const { run, task } = await world.ended();
  expect(run.outcome).toBe('succeeded');
  expect(task.attempt?.launches).toHaveLength(1);
});

it('followers of logs and events go on where they were after the daemon was killed', async () => {
  const started = await world.sb(['run', 'watched', '--detach', '--script', heldScript()]);
  const runId = started.stdout.split('\n')[0] ?? '';
  await held();
  const logs = world.start(['logs', 'watched', '-f']);
  const events = world.start(['events', runId, '-f', '--json']);
  await logs.says('[session');
  await events.says('launch.started');
  await world.killDaemon();
  await logs.says('the daemon exited');
  await events.says('the daemon exited');
  world.touch('go');
  const [shown, told] = await Promise.all([logs.ended, events.ended]);
  expect(shown.stdout.match(/\[session/g)).toHaveLength(1);
  expect(shown.stdout).toContain('[turn ended');
  const seqs = told.stdout
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { seq: number }).seq);
  expect(seqs).toEqual(seqs.map((_, i) => i + 1));
  expect(told.stdout).toContain('run.ended');
});
