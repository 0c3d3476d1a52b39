// Reads the budgets of a plan file.

import type { Budget, Dimension } from '../../model/spending/budget.ts';
import { type AmountKind, readAmount } from '../../std/amount.ts';
import { defined } from '../../std/defined.ts';
import type { BudgetFile } from './budget-file.ts';
import type { PlanPath } from './problem.ts';
import type { Reading } from './read-values.ts';

export const dimensionOf: Readonly<Record<AmountKind, Dimension>> = {
  usd: 'microUsd',
  tokens: 'tokens',
  turns: 'turns',
  time: 'timeMs',
};

export function budgetOf(given: BudgetFile | undefined, path: PlanPath, reading: Reading): Budget | null {
  if (given === undefined) return null;
  if (typeof given === 'string') return { microUsd: amountOf(given, 'usd', path, reading) };
  const { agents, ...amounts } = given;
  const said = Object.entries(amounts) as [AmountKind, string | number][];
  if (Object.keys(given).length === 0) reading.wrong(path, { message: 'it names no amount' });
  const read = said.map(([kind, amount]) => [dimensionOf[kind], amountOf(amount, kind, [...path, kind], reading)]);
  return { ...(Object.fromEntries(read) as Budget), ...defined({ agents }) };
}

/** In its smallest units. Reports an amount that cannot be read and returns 1. */
export function amountOf(given: string | number, kind: AmountKind, path: PlanPath, reading: Reading): number {
  const amount = readAmount(given, kind);
  if ('units' in amount) return amount.units;
  reading.wrong(path, { message: amount.flaw });
  return 1;
}

/** Amounts that `own` does not set come from `usual`: setting one limit does not remove another. */
export function budgetWith(usual: Budget | null, own: Budget | null): Budget | null {
  return usual === null || own === null ? (own ?? usual) : { ...usual, ...own };
}
