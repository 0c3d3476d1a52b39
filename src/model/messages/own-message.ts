// Letters that Signalbox writes: in its own name, or to pass on what has become of a task or what a person said.

import type { RunEventBody } from '../events.ts';
import { letterId } from '../ids.ts';
import type { Run } from '../run.ts';
import type { Letter } from './message.ts';

/** Types of letters by which Signalbox asks: nobody else may write such a one. */
export const ownTypes = ['shutdown', 'team-work', 'not-delivered'] as const;

type Said = Pick<Letter, 'to' | 'kind' | 'text'> &
  Partial<Omit<Letter, 'id' | 'type' | 'hops' | 'at'>> & { readonly type?: (typeof ownTypes)[number] };

/** `nth`: among those that the same decision sends. */
export function sendOwnLetter(run: Run, now: number, said: Said, nth = 1): RunEventBody {
  const usual = { fromName: 'signalbox', trust: 'signalbox', chain: [], hops: 0 } as const;
  return { type: 'mail.sent', letter: { id: letterId(run.letters + nth), ...usual, ...said, at: now } };
}
