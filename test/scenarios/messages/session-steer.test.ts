// Agents that are spoken to after they were stopped, or had ended: real processes, real git, from the outside.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { until } from '../../until.ts';
import type { World } from '../daemon/daemon-world.ts';
import { recordOf } from '../spending/limits-world.ts';
import { shareDaemon } from '../world/shared-world.ts';

const openWorld = shareDaemon();
let world: World;

beforeEach(() => {
  world = openWorld();
});

afterEach(() => world.close());

const timeoutMs = 40_000;
const write = (path: string, text: string): object => ({ write: { path, text } });

/** The whole input of a launch of the task, as its records are in the file. */
const told = (launch: string): string => readFileSync(join(world.home, 'launches', launch, 'in'), 'utf8');

const branchFile = async (path: string): Promise<string> => {
  const { run, task } = await world.only();
  return world.git('--git-dir', task.attempt?.gitDir ?? '', 'show', `${run.branch?.head}:${path}`);
};

const begun = async (...steps: object[]): Promise<void> => {
  const script = world.script([write('first.txt', 'half'), write(world.path('begun'), ''), ...steps]);
  await world.sb(['run', 'steered', '--detach', '--script', script]);
  await until(() => existsSync(world.path('begun')), { timeoutMs, what: 'the agent to begin' });
};

it('stop, then send: the same session continues its work with exactly that message [HAND-1]', async () => {
  await begun({ wait: 3_600_000 });
  expect(await world.sb(['stop', 'steered'])).toMatchObject({ code: 0 });
  await world.ended();
  const { code, stdout } = await world.sb(['send', 'steered', 'leave', 'the', 'lexer', 'alone']);
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'Message sent; the agent resumes with it.\n' });
  const { run, task } = await world.ended();
  expect(run.outcome).toBe('succeeded');
  const record = await recordOf(world, run.id);
  const started = record.filter((event) => event.type === 'attempt.started');
  expect(started[1]).toMatchObject({ n: 2, agentId: started[0]?.agentId, continues: started[0]?.attemptId });
  expect(record.filter(({ type }) => type === 'agent.session')).toHaveLength(1);
  const [launch = ''] = task.attempt?.launches ?? [];
  expect(readFileSync(join(world.home, 'launches', launch, 'spec.json'), 'utf8')).toContain('--resume');
  const texts = told(launch).match(/"content":"[^"]*"/g);
  expect(texts).toEqual(['"content":"leave the lexer alone"']);
  expect(await branchFile('first.txt')).toBe('half');
});

it('a message sent while a task is being stopped is delivered when it has stopped [HAND-1]', async () => {
  // It ignores all input, and so takes seconds to be ended.
  await begun({ hang: true, once: true });
  await world.sb(['stop', 'steered']);
  const { code, stderr } = await world.sb(['send', 'steered', 'go on']);
  expect(code, stderr).toBe(0);
  const { run, task } = await world.ended();
  expect(run.outcome).toBe('succeeded');
  expect(task.attempts).toBe(2);
  expect(told(task.attempt?.launches[0] ?? '')).toContain('"content":"go on"');
  const ended = (await recordOf(world, run.id)).filter(({ type }) => type === 'task.ended');
  expect(ended).toHaveLength(1);
});

it('a succeeded task goes on from the branch, and is integrated again [HAND-11]', async () => {
  const script = world.script([write('first.txt', 'one'), { turn: 'Done.' }, write('second.txt', 'two')]);
  await world.sb(['run', 'steered', '--script', script]);
  const before = await world.only();
  expect(before.run.outcome).toBe('succeeded');
  await world.sb(['send', 'steered', 'a second file, please']);
  const { run, task } = await world.ended();
  expect(run.outcome).toBe('succeeded');
  expect(task.attempt?.base).toBe(before.run.branch?.head);
  expect([await branchFile('first.txt'), await branchFile('second.txt')]).toEqual(['one', 'two']);
  expect((await world.sb(['verify', run.id])).code).toBe(0);
  // Work that was integrated before still names its task.
  const why = (path: string) => world.sb(['why', `${path}:1`, '--run', run.id]);
  expect((await why('first.txt')).stdout).toMatch(/attempt +1, started/);
  expect((await why('second.txt')).stdout).toMatch(/attempt +2, started.*\n.*said something to its agent/);
});

it('a lost session starts again with its prompt, is told so, and then gets the message [HAND-1] [HAND-2]', async () => {
  await begun({ say: 'I was here.' }, { forget: true, once: true }, { wait: 3_600_000 });
  await until(async () => (await world.sb(['logs', 'steered'])).stdout.includes('I was here.'), {
    timeoutMs,
    what: 'its words',
  });
  await world.sb(['stop', 'steered']);
  await world.ended();
  await world.sb(['send', 'steered', 'mind the gap']);
  // The first process finds no session; the one after it gets everything, in this order.
  const lost = /that conversation was lost.*mind the gap/s;
  await until(
    async () => {
      const { task } = await world.only();
      const launches = task.attempt?.n === 2 ? task.attempt.launches : [];
      return launches.some((id) => existsSync(join(world.home, 'launches', id, 'in')) && lost.test(told(id)));
    },
    { timeoutMs, what: 'it to be told' },
  );
  await world.sb(['stop', 'steered']);
});
