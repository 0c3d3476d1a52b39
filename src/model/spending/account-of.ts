// Which line to a model's service an attempt uses. An account is what a harness logs in with.

import { type AttemptId, taskOfAttempt } from '../core/ids.ts';
import type { Run } from '../core/run.ts';
import type { Host } from '../host/host.ts';
import { isOver, lineName } from './account-line.ts';

export interface OnLine {
  readonly account: string;
  readonly name: string;
}

/** null: its task has another attempt now. */
export function lineOf(run: Run | undefined, attemptId: AttemptId): OnLine | null {
  const task = run?.tasks.get(taskOfAttempt(attemptId));
  if (task?.attempt?.id !== attemptId) return null;
  const account = task.spec.harness;
  return { account, name: lineName(account, task.attempt.parking.model) };
}

/**
 * Why no process of an attempt may start on its line now; null = it may. This holds also for attempts that were at work before
 * the limit, if all processes were lost: only one tries at a time.
 */
export function closedFor(host: Host, run: Run, attemptId: AttemptId, now: number): string | null {
  const on = lineOf(run, attemptId);
  const line = on === null ? undefined : host.lines[on.name];
  if (on === null || line === undefined) return null;
  const shut = !isOver(line, now) || (line.cap === null && line.probe !== attemptId);
  return shut ? `the service of ${on.name} does not answer at the moment` : null;
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
