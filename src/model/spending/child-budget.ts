// How much of its budget a task can give to its children.

import { taskOf } from '../core/lookup.ts';
import type { Run, Task } from '../core/run.ts';
import { reservedByOthers, spentIn, treeOf } from './allowance.ts';
import type { Dimension } from './budget.ts';
import { scopesOf } from './scopes.ts';

/** How much a task may still give to children; null = there is no limit. */
export function amountLeft(run: Run, task: Task, what: Dimension, now: number): number | null {
  let left: number | null = null;
  const below = { of: 'task', taskId: task.spec.id } as const;
  // A child's budget counts as given even if it is not reserved yet: the child may not have started, or is parked.
  const given = givenAway(run, task, what, now) - reservedByOthers(run, below, task, what, now);
  for (const scoped of scopesOf(run, task)) {
    const limit = scoped.budget[what];
    if (limit === undefined) continue;
    const others = reservedByOthers(run, scoped.scope, task, what, now);
    const free = limit - spentIn(run, scoped, what, now) - others - given;
    left = Math.max(0, Math.min(free, left ?? free));
  }
  return left;
}

/** Budgets of children that they have not spent, until they end. */
function givenAway(run: Run, task: Task, what: Dimension, now: number): number {
  let sum = 0;
  for (const child of task.children.ids.map((id) => taskOf(run, id))) {
    if (child.state === 'ended') continue;
    const limit = child.spending.budget?.[what];
    if (limit === undefined) sum += givenAway(run, child, what, now);
    else sum += Math.max(0, limit - spentIn(run, treeOf(child), what, now));
  }
  return sum;
}
