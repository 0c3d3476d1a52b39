// Which task blocks a ready task from starting on its paths.

import { taskOf } from '../core/lookup.ts';
import type { Run, Task } from '../core/run.ts';
import { aheadOf, holderOf } from '../ready/interlock.ts';
import { circleThrough } from './wait-cycle.ts';

/** A task that holds its paths, or an earlier one that waits for them too; never one that waits for this very task. */
export function blockerOf(run: Run, task: Task): Task | null {
  const holder = holderOf(run, task);
  if (holder !== null) return holder.task;
  const ahead = aheadOf(run, task);
  if (ahead.length === 0 || !hasWaiters(run)) return ahead[0] ?? null;
  return ahead.find((each) => circleThrough(run, task, each) === null) ?? null;
}

/** Whether any agent waits for others: without one there is no cycle. */
function hasWaiters(run: Run): boolean {
  return [...run.live.values()].some(({ waits, taskId }) => waits !== null || taskOf(run, taskId).children.open > 0);
}
