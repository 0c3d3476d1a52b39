// Which budgets apply to a task: its own, those of the tasks above it, the run's.

import type { TaskId } from '../core/ids.ts';
import { taskOf } from '../core/lookup.ts';
import type { Run, Task } from '../core/run.ts';
import { aboveOf, upwards } from '../core/task-tree.ts';
import type { Budget, BudgetScope } from './budget.ts';
import type { UsageTotal } from './usage.ts';

export interface Scoped {
  readonly scope: BudgetScope;
  readonly budget: Budget;
  readonly usage: UsageTotal;
}

/** The budgets that apply to a task, its own first. */
export function scopesOf(run: Run, task: Task): Scoped[] {
  const scopes: Scoped[] = [];
  for (const each of upwards(run, task)) {
    const {
      spec,
      spending: { budget, treeBudget, treeUsage },
    } = each;
    // A task's budget covers its children too; a matrix's budget is for each of its tasks.
    if (budget !== null && spec.kind === 'work') {
      scopes.push({ scope: { of: 'task', taskId: spec.id }, budget, usage: treeUsage });
    }
    if (treeBudget === null) continue;
    scopes.push({ scope: { of: 'tree', taskId: spec.id }, budget: treeBudget, usage: treeUsage });
  }
  if (run.spending.budget !== null)
    scopes.push({ scope: { of: 'run' }, budget: run.spending.budget, usage: run.spending.usage });
  return scopes;
}

/** How many agents ever existed in a scope. An agent that continues in a further attempt counts once. */
export function agentsIn(run: Run, scope: BudgetScope): number {
  if (scope.of === 'run') return run.agents.size;
  return [...run.agents.values()].filter(({ taskId }) => isWithin(run, taskId, scope)).length;
}

/** Whether the usage of a task counts for a scope. */
export function isWithin(run: Run, taskId: TaskId, scope: BudgetScope): boolean {
  if (scope.of === 'run') return true;
  if (taskId === scope.taskId) return true;
  for (let above = aboveOf(run, taskOf(run, taskId)); above !== undefined; above = aboveOf(run, above)) {
    if (above.spec.id === scope.taskId) return true;
  }
  return false;
}
