// S15: stalls. Silence in the middle of a turn is distinguished from a long tool call, from work and from a process that merely
// stays; it is ended by a message, by TERM, by KILL, whichever it needs; a stalled agent is started again, and given up at a
// limit.

import { statSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { RunEvent } from '../../../src/wire/event-names.ts';
import type { TaskView } from '../../../src/wire/views.ts';
import { until } from '../../until.ts';
import type { World } from '../daemon/daemon-world.ts';
import {
  detached,
  failureOf,
  guardMs,
  killed,
  recordOf,
  runEnd,
  rungsOf,
  slackMs,
  statusOf,
  taskNamed,
} from '../spending/limits-world.ts';
import { shareDaemon } from '../world/shared-world.ts';

const openWorld = shareDaemon({ SIGNALBOX_SLOTS: '16' });
let world: World;

beforeEach(() => {
  world = openWorld();
});

afterEach(() => world.close());

const stallMs = 3_000;
const toolStallMs = 8_000;
const windows = ['--stall', String(stallMs / 1_000), '--tool-stall', String(toolStallMs / 1_000)];

/** Leaves its mark beside the last line before its silence. */
const silentFrom = (name: string): object => ({ write: { path: world.path(`silent-${name}`), text: '' } });

const result = { write: { path: 'result.txt', text: 'whole\n' } };
const proof = ['--check', 'test "$(cat result.txt)" = whole'];

type Stop = Extract<RunEvent, { type: 'stop.asked' }>;

const stallsOf = (record: readonly RunEvent[], { attempt }: TaskView): Stop[] =>
  record.filter(
    (event): event is Stop =>
      event.type === 'stop.asked' && event.attemptId === attempt?.id && event.reason === 'stall',
  );

/** When each of its silences began: by its mark, or else with its process. */
const silences = (name: string, { attempt }: TaskView, record: readonly RunEvent[]): number[] => {
  const starts = record.flatMap((event) =>
    event.type === 'launch.started' && attempt?.launches.includes(event.launchId) ? [event.at] : [],
  );
  const marked = statSync(world.path(`silent-${name}`), { throwIfNoEntry: false });
  return starts.map((at, n) => (n === 0 ? (marked?.mtimeMs ?? at) : at));
};

/** The window counts from the guard's own look at the last line: one look later at the latest. */
const expectInWindow = (name: string, task: TaskView, record: readonly RunEvent[], windowMs = stallMs): void => {
  const began = silences(name, task, record);
  for (const [n, { at }] of stallsOf(record, task).entries()) {
    const silentMs = at - (began[n] ?? Number.NaN);
    expect(silentMs, `${name}, stall ${n + 1}`).toBeGreaterThan(windowMs - 200);
    expect(silentMs, `${name}, stall ${n + 1}`).toBeLessThan(windowMs + 2 * guardMs + slackMs);
  }
};

const toldTo = (record: readonly RunEvent[], { attempt }: TaskView): string[] =>
  record.flatMap((event) =>
    event.type === 'record.queued' &&
    event.agentId === attempt?.id.replace('attempt_', 'agent_') &&
    event.body.kind === 'text'
      ? [event.body.text]
      : [],
  );

interface Case {
  readonly steps: readonly object[];
  /** The rungs that each of its processes needs. */
  readonly rungs: readonly string[];
}

async function runAll(cases: Record<string, Case>): Promise<{ code: number | null; record: RunEvent[] }> {
  const scripts = Object.values(cases).flatMap(({ steps }) => ['--script', world.script(steps)]);
  const { code } = await world.sb(['run', ...Object.keys(cases), ...scripts, ...windows, ...proof]);
  const { run } = await world.only();
  return { code, record: await recordOf(world, run.id) };
}

it('S15: each kind of silence is detected within one stall window, restarted twice and then given up [CAP-2] [STALL-2] [ATT-6] [LAU-4]', {
  timeout: 180_000,
}, async () => {
  const read = { tool: { name: 'Read', input: { file_path: 'README.md' }, result: '# Sample' } };
  const cases: Record<string, Case> = {
    'after-tool': { steps: [silentFrom('after-tool'), read, { hang: true }], rungs: ['term'] },
    midway: { steps: [silentFrom('midway'), { hang: 'midway' }], rungs: ['term'] },
    deaf: { steps: [{ deaf: true }, silentFrom('deaf'), { hang: true }], rungs: ['term', 'kill'] },
    'no-turn': { steps: [{ noTurn: true }], rungs: [] },
  };
  const { code, record } = await runAll(cases);
  expect(code).toBe(1);
  const { run } = await world.only();
  for (const [name, { rungs }] of Object.entries(cases)) {
    const task = taskNamed(run, name);
    expect(failureOf(task), name).toMatchObject({
      reason: 'stall',
      detail: expect.stringMatching(
        /^it printed nothing for \d+ s in the middle of a turn; it had been started again 2 times$/,
      ),
    });
    expect(stallsOf(record, task), name).toHaveLength(3);
    expect(task.attempt?.launches, name).toHaveLength(3);
    expectInWindow(name, task, record);
    // What made it deaf was done in its first process.
    const later = rungs.filter((rung) => rung === 'term');
    expect(rungsOf(record, task), name).toEqual([...rungs, ...later, ...later]);
  }
  expect(run.tasks.map(({ attempts }) => attempts)).toEqual(run.tasks.map(() => 1));
  expect(world.agents()).toEqual([]);
});

it('S15: an agent that goes on after a silence, runs a long tool, or only lingers is judged by its work [CAP-2] [STALL-1] [STALL-2] [LAU-4]', {
  timeout: 120_000,
}, async () => {
  const cases: Record<string, Case> = {
    'goes-on': { steps: [silentFrom('goes-on'), { hang: true, once: true }, result], rungs: ['term'] },
    'tool-hung': { steps: [silentFrom('tool-hung'), { hang: 'tool', once: true }, result], rungs: ['term'] },
    'long-tool': { steps: [{ run: `sleep ${(stallMs + 2 * guardMs) / 1_000}` }, result], rungs: [] },
    stays: { steps: [{ linger: true }, result, { say: 'Done.' }], rungs: ['term'] },
    'stays-deaf': { steps: [{ deaf: true }, { linger: true }, result], rungs: ['term', 'kill'] },
    // Never silent for a whole window, but for longer than one in all.
    busy: {
      steps: [...Array.from({ length: 6 }, () => [{ say: 'Still at it.' }, { wait: 1_200 }]).flat(), result],
      rungs: [],
    },
  };
  const { code, record } = await runAll(cases);
  const { run } = await world.only();
  expect(code, JSON.stringify(run.tasks.map(({ outcome }) => outcome))).toBe(0);
  for (const [name, { rungs }] of Object.entries(cases)) {
    const task = taskNamed(run, name);
    const silent = name === 'goes-on' || name === 'tool-hung';
    expect(task.outcome?.kind, name).toBe('succeeded');
    const proofs = task.attempt?.checks ?? [];
    expect([proofs.length, proofs.every(({ passed }) => passed)], name).toEqual([3, true]);
    expect(rungsOf(record, task), name).toEqual(rungs);
    expect(statusOf(record, task) === killed, name).toBe(rungs.includes('kill'));
    expect(stallsOf(record, task), name).toHaveLength(silent ? 1 : 0);
    expect(task.attempt?.launches, name).toHaveLength(silent ? 2 : 1);
    expect(toldTo(record, task).length, name).toBe(silent ? 1 : 0);
  }
  const hung = taskNamed(run, 'tool-hung');
  expectInWindow('goes-on', taskNamed(run, 'goes-on'), record);
  expectInWindow('tool-hung', hung, record, toolStallMs);
  expect(stallsOf(record, hung)[0]?.detail).toContain('while this was under way: Bash: sleep infinity');
  expect(toldTo(record, hung)[0]).toMatch(
    /^You had printed nothing .*These were under way:\n- Bash: sleep infinity\n/s,
  );
  expect(world.agents()).toEqual([]);
});

it('S15: an agent that ends its turn on the interrupt is started again as well [STALL-2]', async () => {
  const script = world.script([{ wait: 3_600_000 }]);
  const ended = await world.sb(['run', 'listens', '--script', script, ...windows]);
  expect(ended.code, ended.stderr).toBe(0);
  const { run, task } = await world.only();
  const record = await recordOf(world, run.id);
  expect(rungsOf(record, task)).toEqual([]);
  expect(task.attempt?.launches).toHaveLength(2);
});

it('S15: a running tool is known after a restart of Signalbox too [STALL-7]', async () => {
  const seconds = (stallMs + 3 * guardMs) / 1_000;
  const script = world.script([{ run: `touch '${world.path('begun')}'; sleep ${seconds}` }, result]);
  const { id } = await detached(world, ['long', '--script', script, ...windows, ...proof]);
  await until(() => statSync(world.path('begun'), { throwIfNoEntry: false }), { what: 'the tool to be at work' });
  await world.killDaemon();
  await world.up();
  const run = await runEnd(world, id);
  expect(run.outcome).toBe('succeeded');
  expect(taskNamed(run, 'long').attempt?.launches).toHaveLength(1);
});

it('S15: an agent that has asked a person is not silent, whatever runs in its background [STALL-5]', async () => {
  const background = `until [ -e ${world.path('go')} ]; do sleep 0.05; done`;
  const ask = { call: { tool: 'mcp__signalbox__ask_person', input: { question: 'May I?' } } };
  const soon = ['--stall', '6', '--tool-stall', '6'];
  const { id } = await detached(world, ['asker', '--script', world.script([{ background }, ask, result]), ...soon]);
  const typesOf = async (runId: string) => (await recordOf(world, runId)).map(({ type }) => type);
  await until(async () => (await typesOf(id)).includes('ask.opened'), { timeoutMs: 30_000, what: 'its question' });
  const silent = await detached(world, ['silent', '--script', world.script([{ wait: 3_600_000 }]), ...soon]);
  await until(async () => (await typesOf(silent.id)).includes('stop.asked'), { timeoutMs: 30_000, what: 'a stall' });
  expect((await typesOf(id)).filter((type) => /stop|launch\.ended/.test(type))).toEqual([]);
  world.touch('go');
  await world.sb(['answer', 'asker', 'yes']);
  expect((await runEnd(world, id)).outcome).toBe('succeeded');
  await world.sb(['stop', silent.id]);
  await runEnd(world, silent.id);
});
