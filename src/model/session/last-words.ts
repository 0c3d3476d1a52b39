// What an agent said last: at the end of a turn that went well or failed, or before its process was ended in the middle of one. One that
// has said nothing since it was woken said last what it did before.

import type { Attempt } from '../core/attempt.ts';
import { turnTextMax } from './agent-fact.ts';

/** Of an agent that had no time to end its turn. Cut to `turnTextMax`; where it is long the whole is in the file `whole`. */
export interface Unfinished {
  readonly said: string;
  readonly whole?: string;
}

export interface LastWords {
  readonly text: string;
  readonly isCut: boolean;
  /** The file that has them whole; left out where they are short. */
  readonly whole?: string;
}

/** null = it said nothing. */
export function lastWords({ turn, unfinished }: Attempt): LastWords | null {
  if (turn?.kind === 'ok') return { text: turn.text, isCut: turn.cut, ...wholeOf(turn) };
  const { said, ...kept } = turn ?? unfinished ?? {};
  return said === undefined ? null : { text: said, isCut: said.length >= turnTextMax, ...wholeOf(kept) };
}

/** What counts as said last as long as its next turn has no words. */
export function saidLast(attempt: Attempt): Unfinished | null {
  const words = lastWords(attempt);
  return words === null ? null : { said: words.text, ...wholeOf(words) };
}

function wholeOf({ whole }: { readonly whole?: string }): { whole?: string } {
  return whole === undefined ? {} : { whole };
}
