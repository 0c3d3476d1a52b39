// Which line to a model's service an attempt is on. An account is what a harness logs in with.

import { type AttemptId, taskOfAttempt } from './ids.ts';
import { lineName } from './line.ts';
import type { Run } from './run.ts';

export interface OnLine {
  readonly account: string;
  readonly name: string;
}

/** null: its task has gone on to another attempt. */
export function lineOf(run: Run | undefined, attemptId: AttemptId): OnLine | null {
  const task = run?.tasks.get(taskOfAttempt(attemptId));
  if (task?.attempt?.id !== attemptId) return null;
  const account = task.spec.harness;
  return { account, name: lineName(account, task.attempt.model) };
}

/** How many attempts are at work on a line. */
export function onLine(runs: Iterable<Run>, name: string): number {
  let count = 0;
  for (const run of runs) {
    for (const { taskId, model, parked } of run.live.values()) {
      const harness = run.tasks.get(taskId)?.spec.harness;
      if (parked === null && harness !== undefined && lineName(harness, model) === name) count += 1;
    }
  }
  return count;
}
