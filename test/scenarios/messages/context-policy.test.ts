// Context windows that fill up: the agent compacts, hands over, or its attempt fails; and how a further attempt begins where
// that is left to the rule. Real processes, from the outside.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { RunEvent } from '../../../src/wire/event-names.ts';
import type { CreateRunInput } from '../../../src/wire/request-schemas.ts';
import type { TaskView } from '../../../src/wire/views.ts';
import type { World } from '../daemon/daemon-world.ts';
import { recordOf, submit } from '../spending/limits-world.ts';
import { shareDaemon } from '../world/shared-world.ts';

const openWorld = shareDaemon();
let world: World;

beforeEach(async () => {
  world = openWorld();
  await world.up();
});

afterEach(() => world.close());

type TaskInput = CreateRunInput['tasks'][number];

/** A model whose name says that a million tokens fit. */
const wide = 'scripted[1m]';
const full = [{ context: 900_000 }, { say: 'I have read all of it.' }];
const handoff = { found: ['the flag is read twice'], changed: [], remaining: ['mend it'], commands: [] };
const handOver = { call: { tool: 'mcp__signalbox__submit_artifact', input: { kind: 'handoff', value: handoff } } };
const finish = { write: { path: 'done.txt', text: 'x' }, session: 2 };

async function run(how: 'compact' | 'handoff' | 'fail', steps: readonly object[], more: Partial<TaskInput> = {}) {
  const settings = { model: wide, script: JSON.stringify(steps) };
  await submit(world, [{ name: 'long', prompt: 'long', settings, context: { how, percent: 80 }, ...more }]);
  const { run: ended, task } = await world.ended();
  return { ended, task, record: await recordOf(world, ended.id) };
}

const inFirst = (steps: readonly object[]): object[] => steps.map((step) => ({ ...step, session: 1 }));
const typesOf = (record: readonly RunEvent[]): string[] => record.map(({ type }) => type);

/** The input of a launch of the task, in order. */
function told({ attempt }: TaskView, launch: number): string[] {
  const file = join(world.home, 'launches', attempt?.launches[launch] ?? '', 'in');
  const records = readFileSync(file, 'utf8').trim().split('\n');
  return records.flatMap((line) => {
    const { type, message } = JSON.parse(line) as { type: string; message?: { content: string } };
    return type === 'user' ? (message?.content ?? []) : [];
  });
}

it('an agent with context: handoff is told so in the middle of its turn, and goes on in a fresh session [HAND-3] [HAND-6]', async () => {
  const steps = [...inFirst([...full, { listen: true }, handOver, { say: 'Over.' }]), finish];
  const { ended, task, record } = await run('handoff', steps);
  expect(ended.outcome).toBe('succeeded');
  expect(record.find(({ type }) => type === 'context.filled')).toMatchObject({ tokens: 900_000, window: 1_000_000 });
  expect(typesOf(record).filter((type) => type === 'handoff.asked')).toHaveLength(1);
  const [prompt, asked] = told(task, 0);
  expect(prompt).toBe('long');
  expect(asked).toMatch(/^Your context window is nearly full/);
  const [again = ''] = told(task, 1);
  expect(again).toContain('### Still to be done\n\n- mend it');
  expect(again).toContain('- the flag is read twice');
});

it('an agent that does not hand over is reminded once, and then Signalbox does from the journal [HAND-6]', async () => {
  const { ended, task, record } = await run('handoff', [...inFirst([...full, { listen: true }]), finish]);
  expect(ended.outcome).toBe('succeeded');
  expect(told(task, 0).at(-1)).toMatch(/^You have not handed over yet/);
  expect(record.find(({ type }) => type === 'handoff.given')).toMatchObject({ artifactId: null });
  expect(told(task, 1)[0]).toContain('Said at the end of the last turn');
});

it('an agent whose context overflows is followed by a fresh session [HAND-20]', async () => {
  const { ended, task } = await run('handoff', [...inFirst([{ fail: 'context-overflow' }]), finish]);
  expect(ended.outcome).toBe('succeeded');
  expect(task.attempts).toBe(1);
});

it('an attempt with context: fail fails while its agent is still working [HAND-5]', async () => {
  const { task, record } = await run('fail', [...full, { wait: 3_600_000 }]);
  expect(task.outcome).toMatchObject({ kind: 'failed', failure: { reason: 'context-overflow' } });
  expect(typesOf(record)).toContain('context.filled');
});

it('an agent with context: compact does so before its next turn [HAND-3] [HAND-4]', async () => {
  const output = { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] };
  const steps = [...full, { turn: 'I forgot what to give.' }, { output: { ok: true } }];
  const { ended, task, record } = await run('compact', steps, { output });
  expect(ended.outcome).toBe('succeeded');
  expect(told(task, 0).map((text) => text.split('\n')[0])).toEqual([
    'long',
    '/compact',
    'Your output was not accepted:',
  ]);
  expect(record.find(({ type }) => type === 'context.compacted')).toMatchObject({ trigger: 'manual' });
});

it('the rule decides how a further attempt starts, and says why [HAND-9]', async () => {
  const steps = [
    { write: { path: 'a.txt', text: 'a' } },
    { context: 100_000 },
    { say: 'Begun.' },
    { fail: 'max-output', once: true },
  ];
  const options = ['--script', world.script(steps), '--model', wide, '--retries', '1', '--retry-how', 'auto'];
  const { code, stdout, stderr } = await world.sb(['run', 'tried', ...options]);
  expect(code, stderr).toBe(0);
  const why = 'it works on the same files, and its conversation is short (10 % of its context)';
  expect(stdout).toContain(`started, attempt 2, continues the existing work: ${why}`);
  const { run: ended, task } = await world.only();
  expect(task.attempt?.why).toBe(why);
  expect((await world.sb(['events', ended.id])).stdout).toContain(`"why":"${why}"`);
  expect((await world.sb(['why', 'a.txt:1', '--run', ended.id])).stdout).toContain(why);
});
