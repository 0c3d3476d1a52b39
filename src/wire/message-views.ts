// Views of messages: sender, receiver, delivery status; and one message in full.

import * as z from './answer-shape.ts';
import { sealEnvelope } from './artifact-views.ts';

export const messageView = z.object({
  id: z.string(),
  at: z.number(),
  /** The sender's name; `fromId` is the agent's id, null if no agent wrote it. */
  from: z.string(),
  fromId: z.string().nullable(),
  /** The receiving task. */
  to: z.string(),
  toId: z.string(),
  /** The other run, if it comes from or goes to one. */
  otherRun: z
    .object({ way: z.enum(['from', 'to']), id: z.string(), name: z.string() })
    .nullable()
    .default(null),
  kind: z.string(),
  /** The type its sender gave it; null = plain text. */
  type: z.string().nullable(),
  /** Who vouches for it. */
  trust: z.string(),
  /** The ancestors of its sender by name, nearest first. */
  chain: z.array(z.string()),
  /** Its depth in a chain of replies without other work. */
  hops: z.number(),
  /** `held`: waits for a person to allow messages to another run. `delivered` to another run: it is in its mailbox. */
  state: z.enum(['waiting', 'delivered', 'dead', 'held']),
  /** Why it cannot be delivered; null unless dead. */
  why: z.string().nullable(),
  /** Characters of its text. */
  size: z.number(),
  /** The first line, cut; for a notification, how the task ended and its summary. */
  line: z.string(),
});

/** `earlier`: how many older messages are not listed. */
export const messageList = z.object({ runId: z.string(), messages: z.array(messageView), earlier: z.number() });

/** `none`: recorded without a seal. */
export const messageContent = messageView.extend({
  runId: z.string(),
  /** The number of its event. */
  seq: z.number(),
  text: z.string(),
  /** The data of a typed message; null = none. */
  data: z.unknown(),
  seal: z.enum(['good', 'bad', 'none']),
  /** null unless the seal is good. */
  envelope: sealEnvelope.nullable(),
});

export type MessageView = z.output<typeof messageView>;
export type MessageList = z.output<typeof messageList>;
export type MessageContent = z.output<typeof messageContent>;
