// A message from an agent, a person or Signalbox to an agent. Signalbox stamps its envelope; only the text is the sender's.

import type { ChildLimits } from '../core/child-limits.ts';
import type { AgentId, MessageId, RunId, TaskId } from '../core/ids.ts';
import type { Json } from '../core/json.ts';

export interface Message {
  readonly id: MessageId;
  /** The agent that wrote it; left out = none did. */
  readonly from?: AgentId;
  /** The sender's name. */
  readonly fromName: string;
  /** The task whose agent reads it, whichever agent that is by then. */
  readonly to: TaskId;
  /** `notification`: a task has ended. `answer`: to what the agent asked or waited for. `message`: all else. */
  readonly kind: 'message' | 'notification' | 'answer';
  /** Who vouches for it; nothing that an agent writes grants any permission. */
  readonly trust: 'agent' | 'person' | 'signalbox';
  /** The ended task that a notification, or a report of what was not delivered, is about. */
  readonly about?: TaskId;
  /** The type that the sender gave it, if any. */
  readonly type?: string;
  readonly text: string;
  /** The data of a typed message. */
  readonly data?: Json;
  /** The tasks above its sender's, the nearest first. */
  readonly chain: readonly string[];
  /** How many messages led to it without other work in between. */
  readonly hops: number;
  /** The senders of the last of those, the newest last; left out = it is the first. */
  readonly trail?: readonly string[];
  readonly at: number;
  /** Its origin if it comes from another run: `from` is an agent there, `message` its id there. */
  readonly foreign?: { readonly runId: RunId; readonly run: string; readonly message: MessageId; readonly n: number };
}

/** Characters of a stored message. Longer content belongs into an artifact. */
export const messageMax = 32_000;

/** Everything that its sender wrote. */
export function messageText({ text, data }: Message): string {
  return data === undefined ? text : `${text}${text === '' ? '' : '\n'}${JSON.stringify(data)}`;
}

const sizes = new WeakMap<Message, number>();

/** The size of a message in a mailbox. Computed once, because each new message sums up all that wait. */
export function messageSize(message: Message): number {
  const { text, data } = message;
  const size = sizes.get(message) ?? text.length + (data === undefined ? 0 : JSON.stringify(data).length);
  sizes.set(message, size);
  return size;
}

/** The limit that one more message would exceed; null = there is room. */
export function fullBy(
  waiting: readonly Message[],
  message: Message,
  { mailboxMax, mailboxCharsMax }: ChildLimits,
): 'mailboxMax' | 'mailboxCharsMax' | null {
  if (waiting.length >= mailboxMax) return 'mailboxMax';
  const size = waiting.reduce((sum, each) => sum + messageSize(each), messageSize(message));
  return size > mailboxCharsMax ? 'mailboxCharsMax' : null;
}
