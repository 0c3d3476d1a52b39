// What is told of a landing while it is under way. Pure.

import type { RunEvent } from '../../../wire/event-names.ts';

type LandingEvent = Extract<RunEvent, { type: `landing.${string}` }>;

export function isLanding(event: RunEvent): event is LandingEvent {
  return event.type.startsWith('landing.');
}

export function landingProgress(event: LandingEvent): string {
  switch (event.type) {
    case 'landing.asked':
      return event.into === null
        ? 'goes to a branch of its own'
        : `goes into ${event.into}: merged, tested, then moved`;
    case 'landing.moved':
      return `others moved the branch to ${event.to.slice(0, 7)}: merged and tested anew`;
    case 'landing.tryFailed':
      return `cannot be landed yet: ${event.message}`;
    case 'landing.ended':
      return `landing: ${outcomeWords[event.outcome.kind]}`;
  }
}

const outcomeWords: Readonly<Record<string, string>> = {
  landed: 'landed',
  aside: 'put to a branch of its own',
  conflict: 'does not fit',
  failed: 'a check fails once it is merged',
  refused: 'refused',
  stopped: 'stopped',
};
