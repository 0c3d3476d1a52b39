// Which task blocks a ready task from starting on its paths. It is never one that cannot end before that task: an agent that
// waits for a task, directly or through others, does not hold its paths against it. Otherwise a retry of the task would wait for
// the agent, and the agent for the retry.

import { taskOf } from '../core/lookup.ts';
import type { Run, Task } from '../core/run.ts';
import { aheadOf, type Conflict, claimantOf, writersOf } from '../ready/interlock.ts';
import { circleThrough } from './wait-cycle.ts';

/** A task that holds its paths, or an earlier one that waits for them too. */
export function blockerOf(run: Run, task: Task): Task | null {
  const holder = holderOf(run, task);
  return holder === null ? firstToEnd(run, task, aheadOf(run, task)) : holder.task;
}

/** Which task holds its paths: by a claim, which ends with a turn, or by its write-set, until its attempt ends. */
export function holderOf(run: Run, task: Task): Conflict | null {
  const claimant = claimantOf(run, task);
  if (claimant !== null) return claimant;
  const writers = writersOf(run, task);
  const tasks = writers.map((writer) => writer.task);
  const first = firstToEnd(run, task, tasks);
  return writers.find((writer) => writer.task === first) ?? null;
}

/** The first of these that can end before the task does. */
function firstToEnd(run: Run, task: Task, others: readonly Task[]): Task | null {
  if (others.length === 0 || !hasWaiters(run)) return others[0] ?? null;
  const clear = new Set<Task>();
  return others.find((other) => circleThrough(run, task, other, clear) === null) ?? null;
}

/** Whether any agent waits for others: without one there is no cycle. */
function hasWaiters(run: Run): boolean {
  return [...run.live.values()].some(({ waits, taskId }) => waits !== null || taskOf(run, taskId).children.open > 0);
}
