// What the daemon tells of the messages of a run: who wrote to whom, what became of each, and one of them whole.

import * as z from './answer-shape.ts';
import { sealEnvelope } from './artifact-views.ts';

export const messageView = z.object({
  id: z.string(),
  at: z.number(),
  /** What its sender is called; `fromId` is the agent's, null where none wrote it. */
  from: z.string(),
  fromId: z.string().nullable(),
  /** The task whose agent it is for. */
  to: z.string(),
  toId: z.string(),
  /** Where it comes from or goes to, if that is another run; null = neither. */
  otherRun: z
    .object({ way: z.enum(['from', 'to']), id: z.string(), name: z.string() })
    .nullable()
    .default(null),
  kind: z.string(),
  /** What its sender calls it; null: plain words. */
  type: z.string().nullable(),
  /** Whose word it is. */
  trust: z.string(),
  /** The tasks above its sender's by name, the nearest first. */
  chain: z.array(z.string()),
  /** How many messages led to it without other work between them. */
  hops: z.number(),
  /** `held`: until a person agrees that it goes to another run. `delivered` there: it is in the mailbox of that run. */
  state: z.enum(['waiting', 'delivered', 'dead', 'held']),
  /** Why it will not be read; null unless it is dead. */
  why: z.string().nullable(),
  /** Of its text. */
  size: z.number(),
  /** The first line of its text, cut; of a notification how the task ended, and why or with which words. */
  line: z.string(),
});

/** `earlier`: how many are not listed, being older. */
export const messageList = z.object({ runId: z.string(), messages: z.array(messageView), earlier: z.number() });

/** `none`: it was recorded without a seal. */
export const messageContent = messageView.extend({
  runId: z.string(),
  /** The number of the event by which it was sent. */
  seq: z.number(),
  text: z.string(),
  /** Of a typed one; null where it has none. */
  data: z.unknown(),
  seal: z.enum(['good', 'bad', 'none']),
  /** null unless it is good. */
  envelope: sealEnvelope.nullable(),
});

export type MessageView = z.output<typeof messageView>;
export type MessageList = z.output<typeof messageList>;
export type MessageContent = z.output<typeof messageContent>;
