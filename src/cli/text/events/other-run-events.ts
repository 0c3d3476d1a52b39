// What happens between two runs, in words for whoever follows one of them. Pure.

import type { RunEvent } from '../../../wire/event-names.ts';

const types = ['consent.asked', 'consent.given', 'mail.returned'] as const;
type AcrossEvent = Extract<RunEvent, { type: (typeof types)[number] }>;

export function isAcross(event: RunEvent): event is AcrossEvent {
  return types.some((type) => type === event.type);
}

export function acrossProgress(event: AcrossEvent): string {
  switch (event.type) {
    case 'consent.asked':
      return `asks you: ${event.message.split('\n', 1)[0]} (signalbox inbox says how to answer)`;
    case 'consent.given':
      return `mail to and from run "${event.runName}" was ${event.approved ? 'approved' : 'rejected'} by ${event.by}`;
    case 'mail.returned':
      return `not delivered: ${event.letters.join(', ')}: ${event.why}`;
  }
}
