// Amounts as people write them: `$5`, `2M`, `90s`. They become whole numbers of the smallest unit, exactly: nothing is rounded,
// and anything else is refused with a reason. Knows nothing of what the amount is for.

import { must } from './assert.ts';

/** In millionths of a dollar, in tokens, in turns, in milliseconds. */
export const amountKinds = ['usd', 'tokens', 'turns', 'time'] as const;
export type AmountKind = (typeof amountKinds)[number];

/** More is a mistake; the sum of thousands of these is still exact. */
export const unitsMax = 1e12;

export type Amount = { readonly units: number } | { readonly flaw: string };

/** A file may hold a number in place of a word. The flaw follows the word it is about: `"-1" is below zero`. */
export function readAmount(given: string | number, kind: AmountKind): Amount {
  const word = String(given).trim();
  const { scales, example, wholes } = grammars[kind];
  const parts = /^(-?)(\$?)(\d*)(?:\.(\d+))?([a-z]*)$/i.exec(word);
  const [, sign = '', dollar = '', whole = '', fraction = '', suffix = ''] = parts ?? [];
  const scale = scales.get(suffix.toLowerCase());
  if (parts === null || word.length > charactersMax || whole + fraction === '' || (dollar !== '' && kind !== 'usd')) {
    return flaw(word, `is no amount: write ${example}`);
  }
  if (scale === undefined) {
    return flaw(word, `has ${suffix === '' ? 'no unit' : 'an unknown unit'}: write ${example}`);
  }
  const scaled = BigInt(whole + fraction) * BigInt(scale);
  const divisor = 10n ** BigInt(fraction.length);
  if (sign !== '' && scaled > 0n) return flaw(word, 'is below zero');
  if (scaled === 0n) return flaw(word, 'is nothing: leave it out, or write more than zero');
  if (scaled > BigInt(unitsMax) * divisor) return flaw(word, `is absurd: at most ${atMost[kind]}`);
  if (scaled % divisor !== 0n) return flaw(word, `is too fine: ${wholes}`);
  return { units: Number(scaled / divisor) };
}

/** How such an amount is written: reading it again gives the same. */
export function amountWord(units: number, kind: AmountKind): string {
  const scales = [...grammars[kind].scales];
  const [suffix, scale] = must(scales.findLast(([, each]) => units % each === 0) ?? scales[0], 'there is a unit');
  return `${units / scale}${kind === 'time' ? suffix : suffix.replace('m', 'M')}`;
}

interface Grammar {
  /** The smallest units in one of each unit, the smaller ones first; the empty word is no unit. */
  readonly scales: ReadonlyMap<string, number>;
  readonly example: string;
  readonly wholes: string;
}

const charactersMax = 40;
const unitsOf = (scales: Readonly<Record<string, number>>) => new Map(Object.entries(scales));
const thousands = unitsOf({ '': 1, k: 1e3, m: 1e6 });

const grammars: Readonly<Record<AmountKind, Grammar>> = {
  usd: {
    scales: unitsOf({ '': 1e6 }),
    example: 'dollars, as in 5 or $5.50',
    wholes: 'dollars have at most six decimals',
  },
  tokens: {
    scales: thousands,
    example: 'a number of tokens, as in 200k or 2M',
    wholes: 'there are only whole tokens',
  },
  turns: {
    scales: thousands,
    example: 'a number of turns, as in 100',
    wholes: 'there are only whole turns',
  },
  time: {
    scales: unitsOf({ s: 1e3, m: 60e3, h: 3_600e3, d: 86_400e3 }),
    example: 'a time, as in 90s, 30m or 2h',
    wholes: 'times are counted in milliseconds',
  },
};

const atMost: Readonly<Record<AmountKind, string>> = {
  usd: '$1,000,000',
  tokens: '1,000,000 M',
  turns: '1,000,000 M',
  time: '11,574d',
};

const flaw = (word: string, why: string): Amount => ({ flaw: `"${word.slice(0, charactersMax)}" ${why}` });
