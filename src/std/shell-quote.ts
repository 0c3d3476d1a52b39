// Quotes a word for a POSIX shell. The only place that does.

import { assert } from './assert.ts';

/** A shell takes the result as this one word. What needs no quotes gets none. */
export function shellQuote(word: string): string {
  assert(!word.includes('\0'), 'an argument cannot hold a zero byte');
  return plain.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

const plain = /^[A-Za-z0-9_./:=@%+,-]+$/;
