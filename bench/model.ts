// What one event costs the model (decide + evolve + pending), and one choice of what starts next, in a run of 1,000 tasks and in one of 100,000, with 50
// attempts alive all the time. Both are measured in turns in one process.

import type { Command } from '../src/model/core/command.ts';
import { attemptId, launchId, type TaskId } from '../src/model/core/ids.ts';
import type { Run } from '../src/model/core/run.ts';
import type { TaskSpec } from '../src/model/core/spec.ts';
import { decide } from '../src/model/decide.ts';
import { nextReady } from '../src/model/dispatch/next-ready.ts';
import { evolve } from '../src/model/evolve.ts';
import { emptyHost } from '../src/model/host/host.ts';
import { emptyRun } from '../src/model/new-state.ts';
import { sceneOf } from '../src/model/parking/admit.ts';
import { pending } from '../src/model/pending.ts';
import { plainTask } from '../test/plain-task.ts';
import { type BenchFigure, figure, median } from './figure.ts';
import { referenceFigure } from './reference.ts';

const alive = 50;
const small = 1_000;
const large = 100_000;
/** Tasks brought to their end in one round of either size. */
const perRound = 300;
const rounds = 8;

export function benchModel(): BenchFigure[] {
  const costs = { [small]: noCosts(), [large]: noCosts() };
  const big = submitted(large);
  for (let round = 0; round < rounds; round++) {
    const fresh = submitted(small);
    const kept = round === 0 ? noCosts() : null; // The first round warms up.
    drive(fresh, perRound, kept ?? costs[small]);
    drive(big, perRound, kept ?? costs[large]);
  }
  const at1k = median(costs[small].events);
  const at100k = median(costs[large].events);
  const chosen = median(costs[large].choices);
  return [
    referenceFigure('model.reference'),
    figure('model.event_at_1000_tasks', at1k, 'µs', '<= 6', at1k <= 6),
    figure('model.event_at_100000_tasks', at100k, 'µs', 'none', true),
    figure('model.choice_at_100000_tasks', chosen, 'µs', '<= 20', chosen <= 20),
    figure('model.ratio_100000_to_1000', at100k / at1k, '×', '<= 2', at100k / at1k <= 2),
  ];
}

interface Costs {
  readonly events: number[];
  readonly choices: number[];
}

function noCosts(): Costs {
  return { events: [], choices: [] };
}

function submitted(count: number): Run {
  const run = emptyRun();
  const tasks = Array.from({ length: count }, (_, i) => task(i));
  const spec = {
    id: 'run_bench',
    name: 'bench',
    repo: { path: '/r', base: 'b' },
    limits: { parallelMax: alive },
    integrates: true,
  } as const;
  apply(run, { type: 'submit', run: spec, tasks });
  return run;
}

/** Every tenth task needs the one before it, so that the graph is walked too. */
function task(i: number): TaskSpec {
  return {
    ...plainTask,
    id: idOf(i),
    name: `t${i}`,
    needs: i % 10 === 9 ? [idOf(i - 1)] : [],
    prompt: 'do it',
    retry: { ...plainTask.retry, attemptsMax: 2 },
    timeoutMs: 3_600_000,
    priority: i % 3,
  };
}

const host = emptyHost();

function drive(run: Run, count: number, costs: Costs): void {
  const live: TaskId[] = [...run.live.values()].map((attempt) => attempt.taskId);
  const step = (command: Command): void => {
    const begun = process.hrtime.bigint();
    const events = apply(run, command);
    pending(run, 1_000);
    costs.events.push(Number(process.hrtime.bigint() - begun) / 1_000 / Math.max(1, events));
  };
  for (let done = 0; done < count; done++) {
    while (live.length < alive) {
      const begun = process.hrtime.bigint();
      const { next } = nextReady(run, sceneOf(host, [run], 0));
      costs.choices.push(Number(process.hrtime.bigint() - begun) / 1_000);
      if (next?.kind !== 'start') break;
      const { id } = next.task.spec;
      live.push(id);
      step({ type: 'start', taskId: id, host: 'h' });
      bringUp(id, step);
    }
    const taskId = live.shift();
    if (taskId !== undefined) bringDown(run, taskId, step);
  }
}

function bringUp(taskId: TaskId, step: (command: Command) => void): void {
  const attempt = attemptId(taskId, 1);
  const launch = launchId(attempt, 1);
  step({ type: 'prepared', attemptId: attempt, path: '/w', base: 'b' });
  step({ type: 'launched', launchId: launch, process: null });
  step({ type: 'written', launchId: launch, recordId: `record_${taskId.slice(5)}-1-1`, end: 10 });
}

function bringDown(run: Run, taskId: TaskId, step: (command: Command) => void): void {
  const attempt = attemptId(taskId, 1);
  const launch = launchId(attempt, 1);
  step({
    type: 'output',
    launchId: launch,
    from: 0,
    to: 100,
    codec: '{}',
    replies: [],
    facts: [
      { kind: 'session', session: 's' },
      { kind: 'delivered', recordId: `record_${taskId.slice(5)}-1-1` },
      { kind: 'turnEnded', turn: { kind: 'ok', text: 'done', cut: false } },
    ],
  });
  step({ type: 'down', launchId: launch, status: 0, turn: null });
  step({ type: 'saved', attemptId: attempt, ref: 'r', commit: 'c' });
  const integrated = { attemptId: attempt, kind: 'integrated', commit: attempt, tree: 't', items: [] } as const;
  step({ type: 'integrated', from: run.integration.head, results: [integrated] });
}

function apply(run: Run, command: Command): number {
  const decision = decide(run, command, 1_000);
  if (decision.kind === 'refused') throw new Error(`${command.type}: ${decision.refusal.reason}`);
  for (const body of decision.events) evolve(run, { at: 1_000, ...body });
  return decision.events.length;
}

function idOf(i: number): TaskId {
  return `task_${String(i).padStart(8, '0')}`;
}
