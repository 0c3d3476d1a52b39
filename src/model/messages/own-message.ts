// Messages that Signalbox writes: in its own name, or to pass on what has become of a task or what a person said.

import type { RunEventBody } from '../core/events.ts';
import { messageId } from '../core/ids.ts';
import type { Run } from '../core/run.ts';
import type { Message } from './message.ts';

/** Types of messages by which Signalbox asks: nobody else may write such a one. */
export const ownTypes = ['shutdown', 'team-work', 'not-delivered'] as const;

type Said = Pick<Message, 'to' | 'kind' | 'text'> &
  Partial<Omit<Message, 'id' | 'type' | 'hops' | 'at'>> & { readonly type?: (typeof ownTypes)[number] };

/** `nth`: among those that the same decision sends. */
export function sendOwnMessage(run: Run, now: number, said: Said, nth = 1): RunEventBody {
  const usual = { fromName: 'signalbox', trust: 'signalbox', chain: [], hops: 0 } as const;
  return { type: 'message.sent', message: { id: messageId(run.messages + nth), ...usual, ...said, at: now } };
}
