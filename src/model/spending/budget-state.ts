// The budgets of a run as they stand: what each allows, what of it is spent and what is set apart. For people; decisions
// ask which budget stands in the way of one task (allowance.ts).

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
  /** Turns under way included, as far as they are known. */
  readonly spent: number;
  /** Set apart for attempts at work, and not spent by them yet. */
  readonly reserved: number;
}

/** null: the run has none. */
export function budgetOfRun(run: Run, now: number, meteredOf = journalled): BudgetState | null {
  return stateOf(
    run,
    { scope: { of: 'run' }, budget: run.spending.budget ?? {}, usage: run.spending.usage },
    now,
    meteredOf,
  );
}

/** Its own, and that of it with all below it. What a matrix gives each of its tasks is theirs. */
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

/** The budget of a scope, as it is now; null = there is no such task. */
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
