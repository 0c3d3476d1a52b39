// Journal events on the wire: server-sent events, one JSON document each.

import type { RunEvent } from '../model/core/events.ts';
import * as z from './answer-shape.ts';

export type { RunEvent } from '../model/core/events.ts';
export { turnTextMax } from '../model/session/agent-fact.ts';

export interface WireEvent {
  readonly seq: number;
  readonly event: RunEvent;
}

/** Last record of a daemon that shuts down; a daemon that dies sends nothing. */
export const farewell = 'farewell';

const envelope = z.object({ seq: z.number(), event: z.unknown() });
const known = z.object({ type: z.string(), at: z.number() });

/** Shapes are the journal's: of an event from a newer daemon only `type` and `at` can be relied on. */
export function readWireEvent(text: string): WireEvent {
  const { seq, event } = envelope.parse(JSON.parse(text));
  known.parse(event);
  return { seq, event: event as RunEvent };
}

export function writeWireEvent(event: WireEvent): string {
  return `id: ${event.seq}\ndata: ${JSON.stringify(event)}\n\n`;
}
