// Messages that Signalbox writes: in its own name, or to pass on the end of a task or a person's answer.

import type { Answer } from '../asks/ask.ts';
import type { RunEventBody } from '../core/events.ts';
import { messageId } from '../core/ids.ts';
import type { Run, Task } from '../core/run.ts';
import type { Message } from './message.ts';

/** Types of messages that only Signalbox may send. */
export const ownTypes = ['shutdown', 'team-work', 'not-delivered'] as const;

type Said = Pick<Message, 'to' | 'kind' | 'text'> &
  Partial<Omit<Message, 'id' | 'type' | 'hops' | 'at'>> & { readonly type?: (typeof ownTypes)[number] };

/** `nth`: its number among the messages of the same decision. */
export function sendOwnMessage(run: Run, now: number, said: Said, nth = 1): RunEventBody {
  const usual = { fromName: 'signalbox', trust: 'signalbox', chain: [], hops: 0 } as const;
  return { type: 'message.sent', message: { id: messageId(run.messages.count + nth), ...usual, ...said, at: now } };
}

/** A person's answer, as the agent reads it. */
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
