// Views of budgets. Derived on every request.

import type { Ledger } from '../../engine/state-cache.ts';
import type { AskOf } from '../../model/asks/ask.ts';
import { openBudgetAsk, openBudgetAsks } from '../../model/asks/find-asks.ts';
import { dayKey } from '../../model/asks/notices.ts';
import { dayAskId } from '../../model/core/ids.ts';
import { taskOf } from '../../model/core/lookup.ts';
import type { Run, Task } from '../../model/core/run.ts';
import { dayShortage, usedUnderway } from '../../model/host/day.ts';
import { spentOn } from '../../model/host/host.ts';
import { wordsOf } from '../../model/parking/parking.ts';
import { reserve } from '../../model/spending/allowance.ts';
import { amountOf, type BudgetScope, dimensions, scopeName } from '../../model/spending/budget.ts';
import { type BudgetState, budgetOfRun, budgetsOfTask, type LimitState } from '../../model/spending/budget-state.ts';
import { journalled, type MeteredOf } from '../../model/spending/underway.ts';
import { addTotal } from '../../model/spending/usage.ts';
import { localDay } from '../../std/clock.ts';
import type { BudgetView, ExhaustedView, LimitView } from '../../wire/budget-views.ts';

export function viewRunLimits(run: Run, now: number, meteredOf: MeteredOf): LimitView[] {
  return [...(budgetOfRun(run, now, meteredOf)?.limits ?? [])];
}

/** The budgets of the run and of its tasks. */
export function viewBudgets(run: Run, now: number, meteredOf = journalled): BudgetView[] {
  const own = budgetOfRun(run, now, meteredOf);
  const ofTasks = [...run.tasks.values()].flatMap((task) => budgetsOfTask(run, task, now, meteredOf));
  return (own === null ? ofTasks : [own, ...ofTasks]).map((state) => viewState(run, state));
}

function viewState(run: Run, { scope, limits }: BudgetState): BudgetView {
  const found = openBudgetAsk(run, scope);
  const exhausted = found !== null && isInTheWay(run, found) ? viewScope(run, found) : null;
  return { ...whose(run, scope), limits: [...limits], exhausted };
}

/** Every exhausted budget that blocks this run: its own and that of the day. */
export function viewExhausted(run: Run, all: Shared, now: number): ExhaustedView[] {
  const own = openBudgetAsks(run)
    .filter((each) => isInTheWay(run, each))
    .map((each) => viewScope(run, each));
  if (run.spending.dayExhausted === null || run.state === 'ended') return own;
  const day = viewDay(all, now).exhausted;
  return day === null ? own : [...own, day];
}

/** A budget ends with its run or task. */
function isInTheWay(run: Run, { scope }: AskOf<'budget'>): boolean {
  return run.state !== 'ended' && (scope.of === 'run' || taskOf(run, scope.taskId).state !== 'ended');
}

function viewScope(run: Run, { id: askId, scope, what, limit, spent, openedAt: at }: AskOf<'budget'>): ExhaustedView {
  return {
    ...whose(run, scope),
    askId,
    key: `${run.spec?.id} ${scopeName(scope)} ${at}`,
    what,
    limit,
    spent,
    since: at,
    words: wordsOf(run, { of: 'scope', scope, what, limit, spent }),
  };
}

function whose(run: Run, scope: BudgetScope): Pick<BudgetView, 'of' | 'taskId' | 'task'> {
  if (scope.of === 'run') return { of: 'run', taskId: null, task: null };
  return { of: scope.of, taskId: scope.taskId, task: taskOf(run, scope.taskId).spec.name };
}

/** State shared by all runs. */
type Shared = Pick<Ledger, 'host' | 'runs'>;

/** The budget of today, including running turns and processes. Nothing is reserved in it. */
export function viewDay({ host, runs }: Shared, now: number, meteredOf = journalled): BudgetView {
  const today = localDay(now);
  const { name: day } = today;
  const underway = usedUnderway(runs, today, now, meteredOf);
  const usage = spentOn(host, day);
  addTotal(usage, underway);
  const limits = dimensions.flatMap((what): LimitState[] => {
    const limit = host.dayBudget?.[what];
    return limit === undefined ? [] : [{ what, limit, spent: amountOf(usage, what), reserved: 0 }];
  });
  const about = { of: 'day', taskId: null, task: null } as const;
  const words = dayShortage(host, day, underway);
  const over = limits.find(({ limit, spent }) => spent >= limit);
  const { limit, spent } = over ?? { limit: host.dayBudget?.microUsd ?? 0, spent: amountOf(usage, 'microUsd') };
  const key = dayKey(host, day);
  const exhausted =
    words === null
      ? null
      : { ...about, askId: dayAskId, key, what: over?.what ?? ('unknown' as const), limit, spent, since: null, words };
  return { ...about, limits, exhausted };
}

/** Whether a startable task waits for an exhausted budget. */
export function isOutOfBudget(run: Run, task: Task, now: number): boolean {
  if (openBudgetAsks(run).length === 0 && run.spending.dayExhausted === null) return false;
  const why = task.attempt?.parking.parked?.why.kind ?? null;
  const waits = task.state === 'ready' || (task.state === 'active' && why !== null && why !== 'asks');
  return waits && reserve(run, task, now).kind === 'short';
}
