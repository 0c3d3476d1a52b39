// What follows when an attempt ends: another attempt, or the task's outcome, and with it what depends on it.
// One command can settle many tasks; a Consequences gathers their events as if each had been folded in.

import type { RunEventBody, RunOutcome, TaskOutcome, Verdict } from './events.ts';
import { curedByRetry } from './failure.ts';
import type { TaskId } from './ids.ts';
import { taskOf } from './lookup.ts';
import type { Attempt, Run, Task } from './run.ts';
import { retryDelay } from './timing.ts';

export interface Consequences {
  readonly events: RunEventBody[];
  /** Outcomes given by `events`, not yet in the run. */
  readonly settled: Map<TaskId, TaskOutcome>;
}

export function noConsequences(...events: RunEventBody[]): Consequences {
  return { events, settled: new Map() };
}

/** Ends an attempt with its verdict and draws the consequences for its task and its run. */
export function endAttempt(run: Run, attempt: Attempt, verdict: Verdict, commit: string, all: Consequences): void {
  all.events.push({ type: 'attempt.ended', attemptId: attempt.id, verdict });
  const task = taskOf(run, attempt.taskId);
  if (verdict.kind === 'ok') return settleTask(run, task, { kind: 'succeeded', commit }, all);
  const { failure } = verdict;
  if (failure.reason === 'stopped' || run.state === 'stopping') {
    return settleTask(run, task, { kind: 'stopped' }, all);
  }
  const made = task.attempts - task.attemptsForgiven;
  if (!curedByRetry[failure.reason] || made >= task.spec.retry.attemptsMax) {
    return settleTask(run, task, { kind: 'failed', failure }, all);
  }
  const delayMs = retryDelay(task.spec.retry, made, attempt.id);
  all.events.push({ type: 'task.delayed', taskId: task.spec.id, delayMs });
}

/** Settles a task, skips all that needed it if it did not succeed, and settles the run with its last task. */
export function settleTask(run: Run, task: Task, outcome: TaskOutcome, all: Consequences): void {
  settleOne(task, outcome, all);
  if (outcome.kind !== 'succeeded') skipDependants(run, task, all);
  if (run.unsettled === all.settled.size) {
    all.events.push({ type: 'run.settled', outcome: runOutcome(run, all) });
  }
}

function settleOne(task: Task, outcome: TaskOutcome, all: Consequences): void {
  all.settled.set(task.spec.id, outcome);
  all.events.push({ type: 'task.settled', taskId: task.spec.id, outcome });
}

function skipDependants(run: Run, failed: Task, all: Consequences): void {
  const toSkip = [failed];
  for (const task of toSkip) {
    for (const id of task.dependants) {
      const dependant = taskOf(run, id);
      if (dependant.state === 'settled' || all.settled.has(id)) continue;
      settleOne(dependant, { kind: 'skipped', because: task.spec.id }, all);
      toSkip.push(dependant);
    }
  }
}

function runOutcome(run: Run, all: Consequences): RunOutcome {
  let succeeded = 0;
  let stopped = 0;
  for (const [id, task] of run.tasks) {
    const kind = (all.settled.get(id) ?? task.outcome)?.kind;
    if (kind === 'succeeded') succeeded += 1;
    if (kind === 'stopped') stopped += 1;
  }
  if (succeeded === run.tasks.size) return 'succeeded';
  if (stopped > 0) return 'stopped';
  return succeeded > 0 ? 'partial' : 'failed';
}
