// The outcome of a group of tasks: of a matrix, and of a run.

import { must } from '../../std/assert.ts';
import type { RunOutcome, TaskOutcome } from './events.ts';
import type { TaskId } from './ids.ts';
import { askerOf, taskOf } from './lookup.ts';
import type { Run, Task } from './run.ts';

export function matrixOutcome(
  run: Run,
  { graph: { members } }: Task,
  outcomeOf: (id: TaskId) => TaskOutcome | null,
): TaskOutcome {
  const outcomes = members.map((id) => ({ id, outcome: must(outcomeOf(id), 'all have ended') }));
  if (outcomes.some(({ outcome }) => outcome.kind === 'stopped')) return { kind: 'stopped' };
  const failed = outcomes.filter(({ outcome }) => outcome.kind === 'failed');
  const [first] = failed;
  if (first?.outcome.kind !== 'failed') return { kind: 'succeeded', commit: '' };
  const { reason, detail } = first.outcome.failure;
  const { name } = taskOf(run, first.id).spec;
  const told = `${failed.length} of its ${members.length} tasks failed, first "${name}": ${detail}`;
  return { kind: 'failed', failure: { reason, detail: told.slice(0, detailMax) } };
}

const detailMax = 2_000;

/** Omitted tasks do not count: a run whose other tasks all succeeded has succeeded. */
export function runOutcome(
  run: Run,
  outcomeOf: (task: Task) => TaskOutcome | null,
  stopper: TaskId | null,
): RunOutcome {
  const ended = { succeeded: 0, failed: 0, stopped: 0, skipped: 0, omitted: 0 };
  let workDone = 0;
  for (const task of run.tasks.values()) {
    // Judging children is up to their parent.
    if (askerOf(run, task) !== null) continue;
    const { kind } = must(outcomeOf(task), 'all have ended');
    ended[kind] += 1;
    if (kind === 'succeeded' && task.spec.kind === 'work') workDone += 1;
  }
  // If a failure stopped the rest, the run counts as failed or partial, not as stopped.
  if (ended.stopped > 0 && stopper === null && !stoppedByFailure(run, outcomeOf)) return 'stopped';
  if (ended.failed + ended.skipped + ended.stopped === 0) return 'succeeded';
  return workDone > 0 ? 'partial' : 'failed';
}

function stoppedByFailure(run: Run, outcomeOf: (task: Task) => TaskOutcome | null): boolean {
  return [...run.tasks.values()].some((task) => stopsRun(run, task) && outcomeOf(task)?.kind === 'failed');
}

function stopsRun(run: Run, { spec }: Task): boolean {
  const [asked] = run.asksOf.get(spec.id) ?? [];
  return spec.onFailure === 'stop' || asked?.answer?.choice === 'stop';
}
