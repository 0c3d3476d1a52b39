// What happens between two runs, in words for whoever follows one of them. Pure.

import type { RunEvent } from '../../../wire/event-names.ts';

const types = ['consent.asked', 'consent.given', 'message.returned'] as const;
type OtherRunEvent = Extract<RunEvent, { type: (typeof types)[number] }>;

export function isOtherRun(event: RunEvent): event is OtherRunEvent {
  return types.some((type) => type === event.type);
}

export function otherRunProgress(event: OtherRunEvent): string {
  switch (event.type) {
    case 'consent.asked':
      return `asks you: ${event.message.split('\n', 1)[0]} (signalbox inbox says how to answer)`;
    case 'consent.given':
      return `mail to and from run "${event.runName}" was ${event.approved ? 'approved' : 'rejected'} by ${event.by}`;
    case 'message.returned':
      return `not delivered: ${event.messages.join(', ')}: ${event.why}`;
  }
}
