// Children that were stopped, or never began, only because their parent ended: they are reopened with it and continue. Their
// parent was never notified of such an end; other ends are the parent's to judge.

import type { RunEventBody } from '../core/events.ts';
import { askerOf, taskOf } from '../core/lookup.ts';
import type { Run, Task } from '../core/run.ts';
import { isMet } from '../inputs/needs.ts';

/**
 * Reopens these tasks and the descendants that ended with them. All continue in their sessions, except those that begin `anew`.
 */
export function reopen(run: Run, tasks: readonly Task[], anew: ReadonlySet<Task> = new Set()): RunEventBody[] {
  const all = new Set(tasks);
  // The set grows while it is iterated.
  for (const each of all) {
    for (const child of each.children.ids.map((id) => taskOf(run, id)))
      if (endedWithAsker(run, child, all)) all.add(child);
  }
  const askers = new Set([...all].map((task) => askerOf(run, task)));
  const inOrder = [...all].sort((a, b) => a.order - b.order);
  return inOrder.map((task): RunEventBody => {
    const isOfChildren = askers.has(task) || askerOf(run, task) !== null;
    // Its former prompt may no longer be true, because its needs are reopened too.
    const isSame = !anew.has(task) && !task.spec.needs.some((id) => all.has(taskOf(run, id)));
    const resumes = task.outcome?.kind === 'stopped' && isOfChildren && isSame;
    return { type: 'task.reopened', taskId: task.spec.id, ...(resumes ? { resumes } : {}) };
  });
}

function endedWithAsker(run: Run, task: Task, all: ReadonlySet<Task>): boolean {
  const { state, children, outcome, spec } = task;
  if (state !== 'ended' || children.notified || (outcome?.kind !== 'stopped' && outcome?.kind !== 'skipped'))
    return false;
  return spec.needs.map((id) => taskOf(run, id)).every((need) => all.has(need) || isMet(task, need));
}
