// S8: memory. An agent that takes memory without end is killed at its cap and no other agent notices; the daemon itself stays
// small however much it has done.

import { afterEach, beforeEach, expect, it } from 'vitest';
import { sized } from '../../size.ts';
import { until } from '../../until.ts';
import { isAlive, openWorld, type World } from '../daemon/daemon-world.ts';
import {
  detached,
  failureOf,
  guardMs,
  killed,
  memoryOf,
  mib,
  recordOf,
  runEnd,
  rungsOf,
  slackMs,
  statusOf,
  taskEnd,
  taskNamed,
} from '../spending/limits-world.ts';

let world: World;

beforeEach(() => {
  world = openWorld({ SIGNALBOX_SLOTS: '12' });
});

afterEach(() => world.close());

const timeoutMs = 60_000;
const capMb = 300;
const mbPerSecond = 95;

const calm = () => world.script([{ waitFor: world.path('go') }, { write: { path: 'done', text: 'yes' } }]);

/** Ten agents at work; the first does `steps` on a signal. */
const tenAtWork = async (...steps: object[]) => {
  const hog = world.script([{ waitFor: world.path('begin') }, ...steps]);
  const prompts = ['hog', ...Array.from({ length: 9 }, (_, i) => `calm ${i + 1}`)];
  const scripts = [hog, ...Array.from({ length: 9 }, calm)].flatMap((file) => ['--script', file]);
  const run = await detached(world, [...prompts, ...scripts, '--memory-max', String(capMb)]);
  await until(() => world.agents().length === 10, { timeoutMs, what: 'ten agents' });
  return run;
};

const mostMb = capMb + (mbPerSecond * (2 * guardMs + slackMs)) / 1_000;

it('S8: of ten agents the one that takes 95 MB/s is killed at its cap, with figures, and nine go on [CAP-1]', async () => {
  const { id } = await tenAtWork({ grow: { mbPerSecond } });
  const before = world.agents().map(({ pid }) => pid);
  world.touch('begin');
  const hog = await taskEnd(world, id, 'hog');
  const { reason, detail } = failureOf(hog);
  expect(reason).toBe('out-of-memory');
  const [, used = ''] = /^it used (\d+) MiB of memory, its cap is 300 MiB$/.exec(detail) ?? [];
  expect(Number(used), detail).toBeGreaterThan(capMb);
  expect(Number(used), detail).toBeLessThan(mostMb);
  expect(before.filter(isAlive)).toHaveLength(9);
  world.touch('go');
  const run = await runEnd(world, id);
  expect(run.outcome).toBe('partial');
  const others = run.tasks.filter(({ name }) => name !== 'hog');
  expect(others.map((task) => [task.outcome?.kind, task.attempts, task.attempt?.launches.length])).toEqual(
    others.map(() => ['succeeded', 1, 1]),
  );
  // At once, without manners: every second more is memory.
  const record = await recordOf(world, id);
  expect(statusOf(record, hog)).toBe(killed);
  expect(rungsOf(record, hog)).toEqual(['kill']);
});

it("S8: memory of an agent's child processes counts as its own, and they are killed with it [CAP-1]", async () => {
  const child = `${process.execPath} -e 'const kept = []; setInterval(() => kept.push(Buffer.alloc(4e6, 1)), 100)'`;
  const { id } = await tenAtWork({ run: `${child} & ${child} & ${child}` });
  world.touch('begin');
  const hog = await taskEnd(world, id, 'hog');
  expect(failureOf(hog)).toMatchObject({ reason: 'out-of-memory' });
  expect(world.processes().filter(({ command }) => command.includes('Buffer.alloc(4e6'))).toEqual([]);
  world.touch('go');
  const run = await runEnd(world, id);
  expect(run.tasks.filter((task) => task.outcome?.kind === 'succeeded')).toHaveLength(9);
  expect(taskNamed(run, 'hog').attempts).toBe(1);
});

const tasks = sized(40, 1_000);
const daemonMostMb = sized(200, 300);

it(`S8: the daemon has less than ${daemonMostMb} MB after ${tasks} tasks`, {
  timeout: 60_000 + tasks * 2_000,
}, async () => {
  const script = world.script([{ say: 'Much ado.' }, { write: { path: 'done', text: 'yes' } }]);
  const perRun = 40;
  for (let n = 0; n < tasks; n += perRun) {
    const prompts = Array.from({ length: perRun }, (_, i) => `task ${n + i}`);
    const { code, stdout, stderr } = await world.sb(['run', ...prompts, '--script', script, '--json']);
    expect(code, `${stdout}${stderr}`).toBe(0);
  }
  const daemon = world.daemonPid();
  expect(memoryOf(daemon) / mib).toBeLessThan(daemonMostMb);
  expect(memoryOf(daemon, 'VmHWM') / mib).toBeLessThan(daemonMostMb);
});
