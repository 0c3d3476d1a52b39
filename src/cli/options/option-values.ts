// What the values of options may be, read from their words.

import { InvalidArgumentError } from 'commander';
import { type AmountKind, readAmount } from '../../std/amount.ts';

export function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

export function count(value: string): number {
  if (!/^\d{1,3}$/.test(value)) throw new InvalidArgumentError('it takes a number from 0 to 999.');
  return Number(value);
}

export function positive(value: string): number {
  const number = Number(value);
  if (!(number > 0) || !Number.isFinite(number)) throw new InvalidArgumentError('it takes a number above 0.');
  return number;
}

/** In whole units of what is meant. */
export function amount(kind: AmountKind): (value: string) => number {
  return (value) => {
    const read = readAmount(value, kind);
    if ('flaw' in read) throw new InvalidArgumentError(`${read.flaw}.`);
    return read.units;
  };
}

/** From 0 on; what it may be is for the daemon to say. */
export function size(value: string): number {
  if (!/^\d{1,9}(\.\d{1,3})?$/.test(value)) throw new InvalidArgumentError('it takes a number.');
  return Number(value);
}

export function whole(value: string): number {
  if (!/^[1-9]\d{0,5}$/.test(value)) throw new InvalidArgumentError('it takes a whole number from 1 to 999999.');
  return Number(value);
}
