// Amounts in words, for people.

import type { Dimension, Exhausted } from './budget.ts';

export function amountWords(what: Dimension | 'agents', amount: number): string {
  switch (what) {
    case 'microUsd':
      return dollars(amount);
    case 'tokens':
      return `${amount.toLocaleString('en-US')} tokens`;
    case 'turns':
    case 'agents':
      return `${amount.toLocaleString('en-US')} ${what}`;
    case 'timeMs':
      return `${(amount / 60_000).toFixed(1)} min`;
  }
}

/** One sentence: which budget is used up, and how much of it was spent. */
export function shortageWords(whose: string, { what, spent, limit }: Exhausted): string {
  if (what === 'unknown') {
    return `the budget of ${whose} is ${dollars(limit)}, and what some of its turns cost is not known`;
  }
  if (spent < limit) return `what is left of the budget of ${whose} is set apart for others`;
  return `the budget of ${whose} is used up: ${amountWords(what, spent)} of ${amountWords(what, limit)}`;
}

/** Cents, and more places only where there are any. */
function dollars(microUsd: number): string {
  const exact = (microUsd / 1e6).toFixed(6).replace(/0{1,4}$/, '');
  return `$${exact}`;
}
