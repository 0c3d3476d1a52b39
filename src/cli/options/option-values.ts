// Parsers for option values, and the --json option that most verbs share.

import { InvalidArgumentError } from 'commander';
import { type AmountKind, readAmount } from '../../std/amount.ts';

export const verboseOption = ['-v, --verbose', 'ids, refs and paths too'] as const;

export const jsonOption = ['--json', 'print JSON on stdout; messages go to stderr'] as const;

export function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

export function count(value: string): number {
  if (!/^\d{1,3}$/.test(value)) throw new InvalidArgumentError('expected a number from 0 to 999.');
  return Number(value);
}

export function positive(value: string): number {
  const number = Number(value);
  if (!(number > 0) || !Number.isFinite(number)) throw new InvalidArgumentError('expected a number above 0.');
  return number;
}

/** In whole base units: millionths of a dollar, tokens, turns, milliseconds. */
export function amount(kind: AmountKind): (value: string) => number {
  return (value) => {
    const read = readAmount(value, kind);
    if ('flaw' in read) throw new InvalidArgumentError(`${read.flaw}.`);
    return read.units;
  };
}

/** 0 or more. The daemon checks the range. */
export function size(value: string): number {
  if (!/^\d{1,9}(\.\d{1,3})?$/.test(value)) throw new InvalidArgumentError('expected a number.');
  return Number(value);
}

export function whole(value: string): number {
  if (!/^[1-9]\d{0,5}$/.test(value)) throw new InvalidArgumentError('expected a whole number from 1 to 999999.');
  return Number(value);
}
