// Amounts in words, for people.

import type { Dimension, Exhausted } from './budget.ts';

/** One sentence: which budget is exhausted, and how much of it was spent. */
export function shortageWords(whose: string, { what, spent, limit }: Exhausted): string {
  if (what === 'unknown') {
    return `the budget of ${whose} is ${dollars(limit)}, and what some of its turns cost is not known`;
  }
  if (spent < limit) return `what is left of the budget of ${whose} is set apart for others`;
  return `the budget of ${whose} is exhausted: ${partWords(what, spent, limit)}`;
}

/** `1,102 of 1,000 tokens`. */
export function partWords(what: Dimension | 'agents', spent: number, limit: number): string {
  switch (what) {
    case 'microUsd':
      return `${dollars(spent)} of ${dollars(limit)}`;
    case 'timeMs':
      return `${duration(spent)} of ${duration(limit)}`;
    case 'tokens':
    case 'turns':
    case 'agents':
      return `${spent.toLocaleString('en-US')} of ${limit.toLocaleString('en-US')} ${what}`;
  }
}

/** Two decimals, and more only where needed. */
function dollars(microUsd: number): string {
  const exact = (microUsd / 1e6).toFixed(6).replace(/0{1,4}$/, '');
  return `$${exact}`;
}

/** In the units of plans: `1h 30m 5s`. */
function duration(ms: number): string {
  const all = Math.floor(ms / 1_000);
  const parts = [`${Math.floor(all / 3_600)}h`, `${Math.floor(all / 60) % 60}m`, `${all % 60}s`];
  const told = parts.filter((part) => !part.startsWith('0'));
  return told.length === 0 ? '0s' : told.join(' ');
}
