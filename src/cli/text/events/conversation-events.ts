// Lines for events of an agent's session: context, compaction, handoff. Pure.

import type { RunEvent } from '../../../wire/event-names.ts';

type SessionEvent = Extract<RunEvent, { type: `${'session' | 'context' | 'handoff'}.${string}` }>;

export function isOfSession(event: RunEvent): event is SessionEvent {
  return /^(session|context|handoff)\./.test(event.type);
}

export function sessionProgress(event: SessionEvent): string | null {
  switch (event.type) {
    case 'session.steered':
      return `resumed by a message from ${event.from}`;
    case 'session.renewed':
      return 'a new session continues from the handoff';
    case 'context.filled':
      return `context ${percentOf(event.tokens, event.window)} full`;
    case 'context.compacted':
      return `context compacted from ${event.tokensBefore} to ${event.tokensAfter} tokens`;
    case 'handoff.asked':
      return 'asked to hand off to a new session';
    case 'handoff.given':
      return event.artifactId === null ? 'handoff made from the journal' : `handoff: ${event.artifactId}`;
    default:
      // An event of a newer daemon.
      return null;
  }
}

function percentOf(tokens: number, window: number | null): string {
  return window === null ? `with ${tokens} tokens` : `${Math.round((100 * tokens) / window)} %`;
}
