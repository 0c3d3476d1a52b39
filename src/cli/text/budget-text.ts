// Budgets in words: how much of how much, and the command that gives more. Pure.

import { type AmountKind, amountWord, unitsMax } from '../../std/amount.ts';
import type { BudgetView, ExhaustedView, LimitView } from '../../wire/budget-views.ts';
import type { RunView } from '../../wire/views.ts';
import { count, dollars, elapsed, shortCost } from './figures.ts';
import { plainLine } from './plain-text.ts';

type LimitName = LimitView['what'];

/** The option that sets each. */
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

/** Twice as much, or as often as it takes; where a cost is unknown the same again, which is to put up with it. */
export function raiseCommand(runId: string, { of, taskId, what, limit, spent }: ExhaustedView): string {
  const whose =
    of === 'day' ? ' --day' : ` ${runId}${taskId === null ? '' : ` ${taskId}`}${of === 'tree' ? ' --tree' : ''}`;
  const [option, units] =
    what === 'unknown' ? (['usd', limit] as const) : ([optionOf[what], doubled(limit, spent)] as const);
  const word = option === 'agents' ? String(units) : amountWord(Math.min(units, unitsMax), option);
  return `signalbox budget${whose} --${option} ${word}`;
}

/** Above what is spent, however far below that the limit was set. */
function doubled(limit: number, spent: number): number {
  let more = Math.max(1, 2 * limit);
  while (more <= spent) more *= 2;
  return more;
}

/** `cost $4.87 (budget: $4.87 of $5.00)`. */
export function costWords({ usage, budget }: Pick<RunView, 'usage' | 'budget'>, cost = shortCost(usage)): string {
  return `cost ${cost}${budget.length === 0 ? '' : ` (budget: ${budgetWords(budget)})`}`;
}

/** Two lines for each: what is used up, and what gives more. */
export function exhaustedLines({ id, exhausted }: Pick<RunView, 'id' | 'exhausted'>): string[] {
  return exhausted.flatMap((each) => [plainLine(each.words), `  more: ${raiseCommand(id, each)}`]);
}
