// A message: something that one agent, a person or Signalbox itself says to an agent. Its envelope is stamped by Signalbox; only
// the text is its sender's.

import type { ChildLimits } from '../core/child-limits.ts';
import type { AgentId, MessageId, RunId, TaskId } from '../core/ids.ts';
import type { Json } from '../core/json.ts';

export interface Message {
  readonly id: MessageId;
  /** The agent that wrote it; left out where none did. */
  readonly from?: AgentId;
  /** What its sender is called. */
  readonly fromName: string;
  /** The task whose agent it is for, whoever that is by then. */
  readonly to: TaskId;
  /** `notification`: a task has ended. `answer`: to what the agent asked or waited for. `message`: all else. */
  readonly kind: 'message' | 'notification' | 'answer';
  /** Whose word it is; nothing that an agent writes grants anything. */
  readonly trust: 'agent' | 'person' | 'signalbox';
  /** The ended task that a notification, or a report of what was not delivered, is about. */
  readonly about?: TaskId;
  /** A word of its sender's for what it is, where it is typed. */
  readonly type?: string;
  readonly text: string;
  /** Of a typed one. */
  readonly data?: Json;
  /** The tasks above its sender's, the nearest first. */
  readonly chain: readonly string[];
  /** How many messages led to it without other work in between. */
  readonly hops: number;
  /** Who wrote the last of those, the newest last; left out = it is the first. */
  readonly trail?: readonly string[];
  readonly at: number;
  /** Where it comes from, if that is another run: `from` is an agent there, `message` what it is called there. */
  readonly foreign?: { readonly runId: RunId; readonly run: string; readonly message: MessageId; readonly n: number };
}

/** Of one message, as it is kept. What is longer belongs into an artifact. */
export const messageMax = 32_000;

/** All that its sender wrote. */
export function messageText({ text, data }: Message): string {
  return data === undefined ? text : `${text}${text === '' ? '' : '\n'}${JSON.stringify(data)}`;
}

const sizes = new WeakMap<Message, number>();

/** What a message takes up in a mailbox. Measured once: all that wait there are counted with each that comes. */
export function messageSize(message: Message): number {
  const { text, data } = message;
  const size = sizes.get(message) ?? text.length + (data === undefined ? 0 : JSON.stringify(data).length);
  sizes.set(message, size);
  return size;
}

/** The limit that a further message would pass where these wait; null = there is room for it. */
export function fullBy(
  waiting: readonly Message[],
  message: Message,
  { mailboxMax, mailboxCharsMax }: ChildLimits,
): 'mailboxMax' | 'mailboxCharsMax' | null {
  if (waiting.length >= mailboxMax) return 'mailboxMax';
  const size = waiting.reduce((sum, each) => sum + messageSize(each), messageSize(message));
  return size > mailboxCharsMax ? 'mailboxCharsMax' : null;
}
