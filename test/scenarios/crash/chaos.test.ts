// Chaos: agents that talk much, and a daemon that is killed over and over at moments of chance, also while it starts. What
// was said is in the transcript once, what it meant is in the journal once, and nothing is left running.

import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { RunView, TaskView } from '../../../src/wire/views.ts';
import { until } from '../../until.ts';
import { openWorld, type World } from '../daemon/daemon-world.ts';
import { amount, type Chance, withChance } from './storm-chance.ts';
import { endedRun, startDaemon } from './storm-daemon.ts';
import { launchFile, type Record, recordOf, twoFolds } from './storm-record.ts';

const agentsCount = amount('CHAOS_AGENTS', 10, 50);
const kills = amount('CHAOS_KILLS', 20, 1_000);
const lines = amount('CHAOS_LINES', 60_000, 3_000_000);
/** An agent says its lines in so many parts; each waits until it is let go, so that there is always something to say. */
const parts = Math.min(40, Math.ceil(kills / 2));
const linesPerPart = Math.ceil(lines / agentsCount / parts);
/** A start takes about 300 ms; what lies there is read at once, what comes later within a quarter of a second. */
const startingMaxMs = 400;
const servingMaxMs = [40, 300] as const;

let world: World;

beforeEach(() => {
  world = openWorld({ SIGNALBOX_SLOTS: String(agentsCount) });
});

afterEach(() => world.close());

it(
  `chaos: ${agentsCount} agents, ${agentsCount * parts * linesPerPart} lines, ${kills} kills: none lost, none doubled, every exit code right, no process left [CLI-2] [LAU-5] [PROC-2] [PROC-3]`,
  {
    timeout: 120_000 + kills * 5_000 + lines,
  },
  () =>
    withChance(async (chance) => {
      const runId = await submit();
      await world.killDaemon();
      await storm(chance);
      const last = startDaemon(world);
      expect(await last.ready()).toBe(true);
      const run = await endedRun(world, runId, 60_000 + lines);
      const record = await recordOf(world, runId);
      for (const [i, task] of run.tasks.entries()) expectWhole(i, task, record);
      expect(record.of('launch.intended')).toHaveLength(agentsCount);
      expect(record.of('launch.lost')).toEqual([]);
      expect(record.of('effect.failed')).toEqual([]);
      const { loaded, folded } = await twoFolds(world, runId);
      expect(loaded).toBe(folded);
      expect((await world.sb(['verify'])).code).toBe(0);
      await last.kill();
      // With the daemon ends the shim that waits for its next launch.
      await until(() => world.processes().length === 0, { what: 'nothing to be left' });
    }),
);

/** Kills the daemon so many times, and lets the agents go on meanwhile, now before a start and now in the middle. */
async function storm(chance: Chance): Promise<void> {
  let released = 0;
  for (let n = 1; n <= kills; n++) {
    const due = Math.floor((n * parts) / kills);
    const early = chance.between(0, 1) === 0;
    const release = (): void => {
      for (; released < due; released++) world.touch(`go-${released}`);
    };
    if (early) release();
    const daemon = startDaemon(world);
    if (chance.between(0, 2) === 0) {
      await delay(chance.between(0, startingMaxMs));
      release();
    } else {
      expect(await daemon.ready()).toBe(true);
      release();
      await delay(chance.between(0, chance.pick(servingMaxMs)));
    }
    await daemon.kill();
  }
  expect(released).toBe(parts);
}

/** Agents end in different ways; each status stands for one. */
const endings: readonly { readonly step: object | null; readonly status: number }[] = [
  { step: null, status: 0 },
  { step: { exit: 7 }, status: 7 },
  { step: { crash: 'SIGKILL' }, status: 137 },
  { step: { exit: 255 }, status: 255 },
  { step: { crash: 'SIGTERM' }, status: 143 },
];

const endingOf = (i: number) => endings[i % endings.length] as (typeof endings)[number];

function scriptOf(i: number): string {
  const { step } = endingOf(i);
  const said = Array.from({ length: parts }, (_, part) => [
    { waitFor: world.path(`go-${part}`) },
    { say: { text: `a${i} p${part} n{n}`, repeat: linesPerPart } },
    { usage: { input_tokens: part + 1, cost_usd: 0.000_001 } },
    { result: `part ${part}` },
  ]);
  return world.script([...said.flat(), ...(step === null ? [] : [step])]);
}

async function submit(): Promise<string> {
  const numbers = Array.from({ length: agentsCount }, (_, i) => i);
  const scripts = numbers.flatMap((i) => ['--script', scriptOf(i)]);
  const args = ['run', ...numbers.map((i) => `agent ${i}`), '--apart', '--detach', '--json', ...scripts];
  const { code, stdout, stderr } = await world.sb(args);
  expect(code, stderr).toBe(0);
  return (JSON.parse(stdout) as RunView).id;
}

function expectWhole(i: number, task: TaskView, record: Record): void {
  const [launchId, ...more] = task.attempt?.launches ?? [];
  expect(more).toEqual([]);
  const said = transcript(i, launchId ?? '');
  expect(said.lines, `lines of agent ${i}`).toBe(parts * linesPerPart);
  expect(said.results).toBe(parts + (endingOf(i).step === null ? 1 : 0));

  const agentId = (task.attempt?.id ?? '').replace(/^attempt_/, 'agent_');
  const used = record.of('usage.recorded').filter((event) => event.agentId === agentId);
  expect(used, `results of agent ${i} in the journal`).toHaveLength(said.results);
  const sum = (of: (usage: (typeof used)[number]['usage']) => number): number =>
    used.reduce((all, { usage }) => all + of(usage), 0);
  expect(sum(({ outputTokens }) => outputTokens)).toBe(said.outputTokens);
  expect(sum(({ inputTokens }) => inputTokens)).toBe((parts * (parts + 1)) / 2);
  expect(sum(({ costMicroUsd }) => costMicroUsd ?? 0)).toBe(parts);
  expect(task.usage).toMatchObject({ outputTokens: said.outputTokens, costMicroUsd: parts });
  expect(record.of('turn.ended').filter((event) => event.agentId === agentId)).toHaveLength(1);

  const { status } = endingOf(i);
  expect(launchFile(world, launchId ?? '', 'rc')).toBe(`${status}\n`);
  const ended = record.of('launch.ended').filter((event) => event.launchId === launchId);
  expect(ended.map((event) => event.status)).toEqual([status]);
}

interface Said {
  lines: number;
  results: number;
  outputTokens: number;
}

/** Reads what an agent printed: each of its lines whole, once, in its order. */
function transcript(i: number, launchId: string): Said {
  const said: Said = { lines: 0, results: 0, outputTokens: 0 };
  const text = launchFile(world, launchId, 'out');
  expect(text.endsWith('\n'), `the last line of agent ${i} is whole`).toBe(true);
  for (const line of text.slice(0, -1).split('\n')) {
    const { type, message, usage } = JSON.parse(line) as Printed;
    if (type === 'result') {
      said.results += 1;
      said.outputTokens += usage?.output_tokens ?? 0;
    }
    const content = type === 'assistant' ? message?.content[0] : undefined;
    if (content?.type !== 'text') continue;
    const [part, n] = [Math.floor(said.lines / linesPerPart), (said.lines % linesPerPart) + 1];
    if (content.text !== `a${i} p${part} n${n}`) {
      throw new Error(`agent ${i}: line ${said.lines + 1} says ${JSON.stringify(content.text)}`);
    }
    said.lines += 1;
  }
  return said;
}

interface Printed {
  readonly type: string;
  readonly message?: { readonly content: readonly { readonly type: string; readonly text?: string }[] };
  readonly usage?: { readonly output_tokens: number };
}
