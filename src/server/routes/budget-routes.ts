// Routes of budgets: views, and orders that set them.

import type { RunId, TaskId } from '../../model/core/ids.ts';
import type { Run } from '../../model/core/run.ts';
import type { BudgetScope } from '../../model/spending/budget.ts';
import { Fault } from '../../std/fault.ts';
import type { BudgetView } from '../../wire/budget-views.ts';
import type { Routes } from '../http/http.ts';
import { readRequest } from '../http/read-request.ts';
import { viewBudgets, viewDay } from '../views/budget-view.ts';
import { liveMetered } from '../views/usage-view.ts';
import type { BudgetOrders } from './budget-orders.ts';
import type { Served } from './route-context.ts';

export function budgetRoutes({ engine }: Served, orders: BudgetOrders): Routes {
  const meteredOf = liveMetered(engine.progress);
  const lookRun = <T>(runId: RunId, read: (run: Run) => T): Promise<T> =>
    engine.lookRun(runId, (run) => {
      if (run === null) throw new Fault('not_found', `there is no run ${runId}`);
      return read(run);
    });
  const day = (): Promise<BudgetView> => engine.look((ledger) => viewDay(ledger, Date.now(), meteredOf));
  const ofRun = async (runId: RunId) => {
    const today = await day();
    const own = await lookRun(runId, (run) => viewBudgets(run, Date.now(), meteredOf));
    return { budgets: today.limits.length === 0 ? own : [...own, today] };
  };
  return {
    'GET /runs/{runId}/budgets': ({ params }) => ofRun(params['runId'] as RunId),
    'POST /runs/{runId}/budgets': async (exchange) => {
      const { of, taskId, ...change } = await readRequest(exchange, ({ setBudget }) => setBudget);
      const runId = exchange.params['runId'] as RunId;
      const scope: BudgetScope = of === 'run' ? { of } : { of, taskId: (taskId ?? '') as TaskId };
      await orders.change(runId, scope, change);
      return ofRun(runId);
    },
    'GET /day-budget': async () => ({ budgets: [await day()] }),
    'POST /day-budget': async (exchange) => {
      await orders.changeDay(await readRequest(exchange, ({ setDayBudget }) => setDayBudget));
      return { budgets: [await day()] };
    },
  };
}
