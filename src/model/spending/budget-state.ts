// The budgets of a run as they are now: limits, amounts spent and amounts reserved. For people; decisions ask which budget
// limits one task (allowance.ts).

import type { Run, Task } from '../core/run.ts';
import { reservedByOthers, spentIn } from './allowance.ts';
import { type Budget, type BudgetScope, type LimitName, limitNames } from './budget.ts';
import { agentsIn, type Scoped } from './scopes.ts';
import { journalled, type MeteredOf } from './underway.ts';

export interface BudgetState {
  readonly scope: BudgetScope;
  readonly limits: readonly LimitState[];
}

export interface LimitState {
  readonly what: LimitName;
  readonly limit: number;
  /** Including unfinished turns, as far as they are known. */
  readonly spent: number;
  /** Reserved for attempts at work, and not spent by them yet. */
  readonly reserved: number;
}

/** null: the run has no budget. */
export function budgetOfRun(run: Run, now: number, meteredOf = journalled): BudgetState | null {
  return stateOf(
    run,
    { scope: { of: 'run' }, budget: run.spending.budget ?? {}, usage: run.spending.usage },
    now,
    meteredOf,
  );
}

/**
 * The budgets of a task itself, and of the task with its descendants. What a matrix gives each of its tasks belongs to those.
 */
export function budgetsOfTask(run: Run, task: Task, now: number, meteredOf = journalled): BudgetState[] {
  const {
    spec,
    spending: { budget, treeBudget, usage, treeUsage },
  } = task;
  const own: Scoped[] = [
    { scope: { of: 'task', taskId: spec.id }, budget: spec.kind === 'matrix' ? {} : (budget ?? {}), usage },
    { scope: { of: 'tree', taskId: spec.id }, budget: treeBudget ?? {}, usage: treeUsage },
  ];
  return own.map((scoped) => stateOf(run, scoped, now, meteredOf)).filter((state) => state !== null);
}

/** The present budget of a scope; null = there is no such task. */
export function budgetAt(run: Run, scope: BudgetScope): Budget | null {
  if (scope.of === 'run') return run.spending.budget ?? {};
  const task = run.tasks.get(scope.taskId);
  if (task === undefined) return null;
  return (scope.of === 'task' ? task.spending.budget : task.spending.treeBudget) ?? {};
}

function stateOf(run: Run, scoped: Scoped, now: number, meteredOf: MeteredOf): BudgetState | null {
  const { scope, budget } = scoped;
  const limits = limitNames.flatMap((what): LimitState[] => {
    const limit = budget[what];
    if (limit === undefined) return [];
    if (what === 'agents') return [{ what, limit, spent: agentsIn(run, scope), reserved: 0 }];
    const reserved = scope.of === 'task' ? 0 : reservedByOthers(run, scope, null, what, now);
    return [{ what, limit, spent: spentIn(run, scoped, what, now, meteredOf), reserved }];
  });
  return limits.length === 0 ? null : { scope, limits };
}
