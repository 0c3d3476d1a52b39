// Which line to a model's service an attempt uses. An account is what a harness logs in with.

import { type AttemptId, type TaskId, taskOfAttempt } from '../core/ids.ts';
import { askerOf } from '../core/lookup.ts';
import type { Run, Task } from '../core/run.ts';
import type { Host } from '../host/host.ts';
import { isOthersClaim, isOver, lineName } from './account-line.ts';

export interface OnLine {
  readonly account: string;
  readonly name: string;
  /** The task of the plan above it. */
  readonly root: TaskId;
}

/** null: its task has another attempt now. */
export function lineOf(run: Run | undefined, attemptId: AttemptId): OnLine | null {
  const task = run?.tasks.get(taskOfAttempt(attemptId));
  if (run === undefined || task?.attempt?.id !== attemptId) return null;
  const account = task.spec.harness;
  return { account, name: lineName(account, task.attempt.parking.model), root: rootOf(run, task) };
}

/**
 * Why no process of an attempt may start on its line now; null = it may. This holds also for attempts that were at work before
 * the limit, if all processes were lost: only one tries at a time.
 */
export function closedFor(host: Host, run: Run, attemptId: AttemptId, now: number): string | null {
  const on = lineOf(run, attemptId);
  const line = on === null ? undefined : host.lines[on.name];
  if (on === null || line === undefined || isOthersClaim(line, on.root)) return null;
  const shut = !isOver(line, now) || (line.cap === null && line.probe !== attemptId);
  return shut ? `the service of ${on.name} does not answer at the moment` : null;
}

/** The task of the plan whose agent spawned it, or whose children did; its own if the plan has it. Together they are one voice. */
export function rootOf(run: Run, task: Task): TaskId {
  let root = task;
  for (let at = askerOf(run, task); at !== null; at = askerOf(run, at)) root = at;
  return root.spec.id;
}

/** How many attempts are at work on a line. */
export function onLine(runs: Iterable<Run>, name: string): number {
  let count = 0;
  for (const run of runs) {
    for (const {
      taskId,
      parking: { model, parked },
    } of run.live.values()) {
      const harness = run.tasks.get(taskId)?.spec.harness;
      if (parked === null && harness !== undefined && lineName(harness, model) === name) count += 1;
    }
  }
  return count;
}
