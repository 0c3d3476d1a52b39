// What is told of an agent's conversation while it is at work. Pure.

import type { RunEvent } from '../../../wire/event-names.ts';

type SessionEvent = Extract<RunEvent, { type: `${'session' | 'context' | 'handoff'}.${string}` }>;

export function isOfSession(event: RunEvent): event is SessionEvent {
  return /^(session|context|handoff)\./.test(event.type);
}

export function sessionProgress(event: SessionEvent): string | null {
  switch (event.type) {
    case 'session.steered':
      return `a message from ${event.from} takes it up again`;
    case 'session.renewed':
      return 'a fresh session goes on from what was handed over';
    case 'context.filled':
      return `its context is ${percentOf(event.tokens, event.window)} full`;
    case 'context.compacted':
      return `its conversation was compacted, from ${event.tokensBefore} to ${event.tokensAfter} tokens`;
    case 'handoff.asked':
      return 'told to hand over to a fresh session';
    case 'handoff.given':
      return event.artifactId === null ? 'handed over by what the record knows' : `handed over: ${event.artifactId}`;
    default:
      // Of a newer daemon.
      return null;
  }
}

function percentOf(tokens: number, window: number | null): string {
  return window === null ? `with ${tokens} tokens` : `${Math.round((100 * tokens) / window)} %`;
}
