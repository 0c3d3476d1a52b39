// What the daemon answers about budgets, and orders that set them.

import type { RunId, TaskId } from '../../model/core/ids.ts';
import type { Run } from '../../model/core/run.ts';
import { type Budget, type BudgetScope, type LimitName, limitNames } from '../../model/spending/budget.ts';
import { budgetAt } from '../../model/spending/budget-state.ts';
import { Fault } from '../../std/fault.ts';
import { createTurns } from '../../std/keyed-queue.ts';
import type { BudgetView } from '../../wire/budget-views.ts';
import type { Routes } from '../http/http.ts';
import { readRequest } from '../http/read-request.ts';
import { viewBudgets, viewDay } from '../views/budget-view.ts';
import { sendOrder } from './person-orders.ts';
import type { Served } from './route-context.ts';

export function budgetRoutes({ engine }: Served): Routes {
  const lookRun = <T>(runId: RunId, read: (run: Run) => T): Promise<T> =>
    engine.lookRun(runId, (run) => {
      if (run === null) throw new Fault('not_found', `there is no run ${runId}`);
      return read(run);
    });
  const takeTurns = createTurns();
  const day = (): Promise<BudgetView> => engine.look((ledger) => viewDay(ledger, Date.now()));
  const ofRun = async (runId: RunId) => {
    const today = await day();
    const own = await lookRun(runId, (run) => viewBudgets(run, Date.now()));
    return { budgets: today.limits.length === 0 ? own : [...own, today] };
  };
  return {
    'GET /runs/{runId}/budgets': ({ params }) => ofRun(params['runId'] as RunId),
    'POST /runs/{runId}/budgets': async (exchange) => {
      const { of, taskId, set, clear, by } = await readRequest(exchange, ({ setBudget }) => setBudget);
      requireChange(set, clear);
      const runId = exchange.params['runId'] as RunId;
      const scope: BudgetScope = of === 'run' ? { of } : { of, taskId: (taskId ?? '') as TaskId };
      // Each changes what the one before has set.
      await takeTurns(runId, async () => {
        const budget = await lookRun(runId, (run) => changed(current(run, scope), set, clear));
        await sendOrder(engine, runId, { type: 'setBudget', scope, budget, by });
      });
      return ofRun(runId);
    },
    'GET /day-budget': async () => ({ budgets: [await day()] }),
    'POST /day-budget': async (exchange) => {
      const { set, clear, by } = await readRequest(exchange, ({ setDayBudget }) => setDayBudget);
      requireChange(set, clear);
      await takeTurns('day', async () => {
        const before = await engine.look(({ host }) => host.dayBudget ?? {});
        await engine.setDayBudget(changed(before, set, clear), by);
      });
      return { budgets: [await day()] };
    },
  };
}

/** Setting a budget also says that what was spent at unknown cost may be: that is not said by nothing. */
function requireChange(set: object, clear: readonly LimitName[]): void {
  if (Object.keys(set).length + clear.length > 0) return;
  throw new Fault('bad_request', 'nothing is to be set: name a limit, or one to clear');
}

function current(run: Run, scope: BudgetScope): Budget {
  const budget = budgetAt(run, scope);
  if (budget === null) throw new Fault('not_found', 'there is no such task in this run');
  const task = scope.of === 'task' ? run.tasks.get(scope.taskId) : undefined;
  if (task?.spec.kind === 'matrix') {
    const mend = '--tree sets the budget of all its tasks together; or name one of them';
    throw new Fault('bad_request', `"${task.spec.name}" is a matrix, and its tasks have their own budgets: ${mend}`);
  }
  return budget;
}

type Given = Partial<Record<LimitName, number | undefined>>;

/** What is not named stays as it is. */
function changed(before: Budget, set: Given, clear: readonly LimitName[]): Budget {
  const kept = limitNames.flatMap((what) => {
    const amount = set[what] ?? (clear.includes(what) ? undefined : before[what]);
    return amount === undefined ? [] : [[what, amount] as const];
  });
  return Object.fromEntries(kept);
}
