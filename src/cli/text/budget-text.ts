// Budgets as text: how much of how much, and the command that raises one. Pure.

import { type AmountKind, amountWord, unitsMax } from '../../std/amount.ts';
import { plainLine } from '../../std/plain-text.ts';
import type { BudgetView, ExhaustedView, LimitView } from '../../wire/budget-views.ts';
import type { RunView } from '../../wire/views.ts';
import { count, dollars, elapsed, shortCost } from './figures.ts';

type LimitName = LimitView['what'];

/** The option that sets each limit. */
export const optionOf: Readonly<Record<LimitName, AmountKind | 'agents'>> = {
  microUsd: 'usd',
  tokens: 'tokens',
  turns: 'turns',
  timeMs: 'time',
  agents: 'agents',
};

/** `$4.87 of $5.00, 1.2M of 2.0M tokens`. */
export function budgetWords(limits: readonly Pick<LimitView, 'what' | 'limit' | 'spent'>[]): string {
  return limits
    .map(({ what, limit, spent }) => {
      const unit = what === 'microUsd' || what === 'timeMs' ? '' : ` ${what}`;
      return `${amount(what, spent)} of ${amount(what, limit)}${unit}`;
    })
    .join(', ');
}

export function amount(what: LimitName, units: number): string {
  if (what === 'microUsd') return dollars(units);
  return what === 'timeMs' ? elapsed(units) : count(units);
}

export function whoseWords({ of, task }: Pick<BudgetView, 'of' | 'task'>): string {
  if (of === 'task') return `task ${task}`;
  return of === 'tree' ? `all of ${task}` : of;
}

export function raiseCommand(runId: string, budget: ExhaustedView): string {
  const { of, taskId } = budget;
  const whose =
    of === 'day' ? ' --day' : ` ${runId}${taskId === null ? '' : ` ${taskId}`}${of === 'tree' ? ' --tree' : ''}`;
  return `signalbox budget${whose} ${answerOptions(budget)}`;
}

/** Doubles the limit until it exceeds what is spent. If a cost is unknown, sets the same limit again: that accepts the unknown cost. */
export function answerOptions({ what, limit, spent }: ExhaustedView): string {
  const [option, units] =
    what === 'unknown' ? (['usd', limit] as const) : ([optionOf[what], doubled(limit, spent)] as const);
  const word = option === 'agents' ? String(units) : amountWord(Math.min(units, unitsMax), option);
  return `--${option} ${word}`;
}

function doubled(limit: number, spent: number): number {
  let more = Math.max(1, 2 * limit);
  while (more <= spent) more *= 2;
  return more;
}

/** `cost $4.87 (budget: $4.87 of $5.00)`. */
export function costWords({ usage, budget }: Pick<RunView, 'usage' | 'budget'>, cost = shortCost(usage)): string {
  return `cost ${cost}${budget.length === 0 ? '' : ` (budget: ${budgetWords(budget)})`}`;
}

/** Exhausted budgets that block a task. */
export function exhaustedOf({ asks }: Pick<RunView, 'asks'>): ExhaustedView[] {
  return asks.flatMap(({ budget }) => budget ?? []);
}

/** Two lines each: what is exhausted, and the command that raises it. */
export function exhaustedLines(run: Pick<RunView, 'id' | 'asks'>): string[] {
  const { id } = run;
  return exhaustedOf(run).flatMap((each) => [plainLine(each.words), `  raise it: ${raiseCommand(id, each)}`]);
}
