// Messages that Signalbox writes: in its own name, or to pass on what has become of a task or what a person said.

import type { Answer } from '../asks/ask.ts';
import type { RunEventBody } from '../core/events.ts';
import { messageId } from '../core/ids.ts';
import type { Run, Task } from '../core/run.ts';
import type { Message } from './message.ts';

/** Types of messages by which Signalbox asks: nobody else may write such a one. */
export const ownTypes = ['shutdown', 'team-work', 'not-delivered'] as const;

type Said = Pick<Message, 'to' | 'kind' | 'text'> &
  Partial<Omit<Message, 'id' | 'type' | 'hops' | 'at'>> & { readonly type?: (typeof ownTypes)[number] };

/** `nth`: among those that the same decision sends. */
export function sendOwnMessage(run: Run, now: number, said: Said, nth = 1): RunEventBody {
  const usual = { fromName: 'signalbox', trust: 'signalbox', chain: [], hops: 0 } as const;
  return { type: 'message.sent', message: { id: messageId(run.messages.count + nth), ...usual, ...said, at: now } };
}

/** What a person said, as the agent reads it. */
export function answerMessage(
  run: Run,
  task: Task,
  { approved, by, message, choice, words }: Answer,
  now: number,
): RunEventBody {
  const said = words ?? choice ?? (approved ? 'yes' : 'no');
  const text = message === null || message === '' ? said : `${said}: ${message}`;
  return sendOwnMessage(run, now, { fromName: by, to: task.spec.id, kind: 'answer', trust: 'person', text });
}
