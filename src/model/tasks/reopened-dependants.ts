// What hangs on how tasks ended when they are to be done again: what was counted of them, and who goes on with it.

import { matrixOf, taskOf } from '../core/lookup.ts';
import type { Run, Task } from '../core/run.ts';
import { isMet } from '../inputs/needs.ts';

/**
 * A task that would go on with how these ended: it is under way, or needs only what has ended behind them. What it is told
 * may speak of that end, and must be the same each time it is read out of the record. null = there is none.
 */
export function whoGoesOnWithout(run: Run, again: readonly Task[]): Task | null {
  const waiting = whoWaits(run, again);
  const walked = new Set(waiting);
  for (const each of walked) {
    for (const dependant of each.graph.dependants.map((id) => taskOf(run, id))) {
      if (waiting.has(dependant)) continue;
      if (dependant.state !== 'ended') return dependant;
      walked.add(dependant);
    }
    const matrix = matrixOf(run, each);
    if (matrix !== null) walked.add(matrix);
  }
  return null;
}

/** They, and all that cannot begin, or come to its end, before they have ended once more. */
function whoWaits(run: Run, again: readonly Task[]): ReadonlySet<Task> {
  const waiting = new Set(again);
  for (const each of waiting) {
    for (const dependant of each.graph.dependants.map((id) => taskOf(run, id))) {
      if (dependant.state === 'blocked') waiting.add(dependant);
    }
    const matrix = matrixOf(run, each);
    if (matrix !== null && matrix.state !== 'ended') waiting.add(matrix);
  }
  return waiting;
}

/** What was counted of how a task ended: the matrix that it is of, and the ends of phases. */
export function countedOf(run: Run, task: Task): Task[] {
  const matrix = matrixOf(run, task);
  const milestones = task.graph.dependants.map((id) => taskOf(run, id)).filter(({ spec }) => spec.kind === 'milestone');
  return [...(matrix === null ? [] : [matrix]), ...milestones].filter(({ state }) => state === 'ended');
}

/** These, and all that is to be counted again with them. What also needs another that failed stays as it is. */
export function withCounted(run: Run, tasks: readonly Task[]): Task[] {
  const all = new Set(tasks);
  for (const each of all) {
    for (const counted of countedOf(run, each)) if (canBeMet(run, counted, all)) all.add(counted);
  }
  return [...all];
}

/** Whether all that the task needs has ended well, or may yet, with `again` done once more: otherwise it would wait for ever. */
export function canBeMet(run: Run, task: Task, again: ReadonlySet<Task>): boolean {
  return task.spec.needs
    .map((id) => taskOf(run, id))
    .every((need) => again.has(need) || need.state !== 'ended' || isMet(task, need));
}
