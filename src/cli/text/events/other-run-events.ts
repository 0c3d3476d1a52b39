// Lines for events between two runs: consent to messages, returned messages. Pure.

import type { RunEvent } from '../../../wire/event-names.ts';

const types = ['consent.given', 'message.returned'] as const;
type OtherRunEvent = Extract<RunEvent, { type: (typeof types)[number] }>;

export function isOtherRun(event: RunEvent): event is OtherRunEvent {
  return types.some((type) => type === event.type);
}

export function otherRunProgress(event: OtherRunEvent): string {
  switch (event.type) {
    case 'consent.given':
      return `messages to and from run "${event.runName}" ${event.approved ? 'approved' : 'rejected'} by ${event.by}`;
    case 'message.returned':
      return `not delivered: ${event.messages.join(', ')}: ${event.why}`;
  }
}
