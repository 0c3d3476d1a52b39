// What depends on the former end of reopened tasks: matrices and phases that counted them, and dependants that are already
// working.

import { matrixOf, taskOf } from '../core/lookup.ts';
import type { Run, Task } from '../core/run.ts';
import { isMet } from '../inputs/needs.ts';

/**
 * A task that already works with the former end of these tasks, or needs only what has ended after them. Its prompt may mention
 * that end and must stay the same. null = there is none.
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

/** These tasks, and all that cannot start or end before they have ended again. */
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

/** What counted the end of a task: its matrix, and the milestones of phases. */
export function countedOf(run: Run, task: Task): Task[] {
  const matrix = matrixOf(run, task);
  const milestones = task.graph.dependants.map((id) => taskOf(run, id)).filter(({ spec }) => spec.kind === 'milestone');
  return [...(matrix === null ? [] : [matrix]), ...milestones].filter(({ state }) => state === 'ended');
}

/** These tasks, and all that has to count them again. What also needs another failed task stays as it is. */
export function withCounted(run: Run, tasks: readonly Task[]): Task[] {
  const all = new Set(tasks);
  for (const each of all) {
    for (const counted of countedOf(run, each)) if (canBeMet(run, counted, all)) all.add(counted);
  }
  return [...all];
}

/** Whether all needs of the task are met, or can be once `again` has run again: otherwise it would wait for ever. */
export function canBeMet(run: Run, task: Task, again: ReadonlySet<Task>): boolean {
  return task.spec.needs
    .map((id) => taskOf(run, id))
    .every((need) => again.has(need) || need.state !== 'ended' || isMet(task, need));
}
