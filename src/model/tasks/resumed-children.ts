// Agents that were stopped, or never began, only because the one that asked for them ended: they are opened again with it, and go
// on where they were. Whoever asked for them was never told of such an end; what it was told of is for it to judge.

import type { RunEventBody } from '../core/events.ts';
import { askerOf, taskOf } from '../core/lookup.ts';
import type { Run, Task } from '../core/run.ts';
import { isMet } from '../inputs/needs.ts';

/**
 * Opens these tasks again, and all that was asked for below them and ended with them. Those go on in their sessions, and so do
 * the tasks that asked for them, unless they are to begin `anew`.
 */
export function reopen(run: Run, tasks: readonly Task[], anew: ReadonlySet<Task> = new Set()): RunEventBody[] {
  const all = new Set(tasks);
  // The set grows while it is walked.
  for (const each of all) {
    for (const child of each.children.ids.map((id) => taskOf(run, id)))
      if (endedWithAsker(run, child, all)) all.add(child);
  }
  const askers = new Set([...all].map((task) => askerOf(run, task)));
  const inOrder = [...all].sort((a, b) => a.order - b.order);
  return inOrder.map((task): RunEventBody => {
    const isOfChildren = askers.has(task) || askerOf(run, task) !== null;
    // What it was told of what it needs may not be so any more.
    const isSame = !anew.has(task) && !task.spec.needs.some((id) => all.has(taskOf(run, id)));
    const resumes = task.outcome?.kind === 'stopped' && isOfChildren && isSame;
    return { type: 'task.reopened', taskId: task.spec.id, ...(resumes ? { resumes } : {}) };
  });
}

function endedWithAsker(run: Run, task: Task, all: ReadonlySet<Task>): boolean {
  const { state, children, outcome, spec } = task;
  if (state !== 'ended' || children.told || (outcome?.kind !== 'stopped' && outcome?.kind !== 'skipped')) return false;
  return spec.needs.map((id) => taskOf(run, id)).every((need) => all.has(need) || isMet(task, need));
}
