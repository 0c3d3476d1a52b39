// An agent's last words: at the end of a turn that went well or failed, or before its process ended in the middle of one. If
// its present turn has none, the last words are those of the turn before.

import type { Attempt } from '../core/attempt.ts';
import { turnTextMax } from './agent-fact.ts';
import type { AttemptTurn } from './session-state.ts';

/** The last words of an unfinished turn. Cut to `turnTextMax`; if long, the whole is in the file `whole`. */
export interface Unfinished {
  readonly said: string;
  readonly whole?: string;
}

export interface LastWords {
  readonly text: string;
  readonly isCut: boolean;
  /** The file that has them whole; left out if they are short. */
  readonly whole?: string;
}

/** null = it said nothing. */
export function lastWords({ turn }: Pick<Attempt, 'turn'>): LastWords | null {
  const { ended, unfinished } = turn;
  if (ended?.kind === 'ok') return { text: ended.text, isCut: ended.cut, ...wholeOf(ended) };
  const { said, ...kept } = ended ?? unfinished ?? {};
  return said === undefined ? null : { text: said, isCut: said.length >= turnTextMax, ...wholeOf(kept) };
}

/** What counts as its last words until the next turn has some. */
export function saidLast(turn: AttemptTurn): Unfinished | null {
  const words = lastWords({ turn });
  return words === null ? null : { said: words.text, ...wholeOf(words) };
}

function wholeOf({ whole }: { readonly whole?: string }): { whole?: string } {
  return whole === undefined ? {} : { whole };
}
