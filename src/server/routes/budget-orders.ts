// Orders that change budgets. Limits that an order does not name stay as they are, so orders for one run, and for the day, take turns.

import type { Engine } from '../../engine/engine.ts';
import type { RunId } from '../../model/core/ids.ts';
import type { Run } from '../../model/core/run.ts';
import { type Budget, type BudgetScope, type LimitName, limitNames } from '../../model/spending/budget.ts';
import { budgetAt } from '../../model/spending/budget-state.ts';
import { Fault } from '../../std/fault.ts';
import { createTurns } from '../../std/keyed-queue.ts';
import { sendOrder } from './person-orders.ts';

export interface BudgetChange {
  readonly set: Given;
  readonly clear: readonly LimitName[];
  readonly by: string;
}

export interface BudgetOrders {
  change(runId: RunId, scope: BudgetScope, change: BudgetChange): Promise<void>;
  changeDay(change: BudgetChange): Promise<void>;
}

export function createBudgetOrders(engine: Engine): BudgetOrders {
  const takeTurns = createTurns();
  return {
    async change(runId, scope, { set, clear, by }) {
      requireChange(set, clear);
      await takeTurns(runId, async () => {
        const budget = await engine.lookRun(runId, (run) => {
          if (run === null) throw new Fault('not_found', `there is no run ${runId}`);
          return changed(current(run, scope), set, clear);
        });
        await sendOrder(engine, runId, { type: 'setBudget', scope, budget, by });
      });
    },
    async changeDay({ set, clear, by }) {
      requireChange(set, clear);
      await takeTurns('day', async () => {
        const before = await engine.look(({ host }) => host.dayBudget ?? {});
        await engine.setDayBudget(changed(before, set, clear), by);
      });
    },
  };
}

/** Setting a budget also accepts usage of unknown cost, so an empty order is refused. */
function requireChange(set: object, clear: readonly LimitName[]): void {
  if (Object.keys(set).length + clear.length > 0) return;
  throw new Fault('bad_request', 'nothing is to be set: name a limit, or one to clear');
}

function current(run: Run, scope: BudgetScope): Budget {
  const budget = budgetAt(run, scope);
  if (budget === null) throw new Fault('not_found', 'there is no such task in this run');
  const task = scope.of === 'task' ? run.tasks.get(scope.taskId) : undefined;
  if (task?.spec.kind === 'matrix') {
    const fix = '--tree sets the budget of all its tasks together; or name one of them';
    throw new Fault('bad_request', `"${task.spec.name}" is a matrix, and its tasks have their own budgets: ${fix}`);
  }
  return budget;
}

type Given = Partial<Record<LimitName, number | undefined>>;

/** Limits that are not named stay as they are. */
function changed(before: Budget, set: Given, clear: readonly LimitName[]): Budget {
  const kept = limitNames.flatMap((what) => {
    const amount = set[what] ?? (clear.includes(what) ? undefined : before[what]);
    return amount === undefined ? [] : [[what, amount] as const];
  });
  return Object.fromEntries(kept);
}
