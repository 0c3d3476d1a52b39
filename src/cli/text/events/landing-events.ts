// Lines for the events of a landing. Pure.

import type { RunEvent } from '../../../wire/event-names.ts';

type LandingEvent = Extract<RunEvent, { type: `landing.${string}` }>;

export function isLanding(event: RunEvent): event is LandingEvent {
  return event.type.startsWith('landing.');
}

export function landingProgress(event: LandingEvent): string {
  switch (event.type) {
    case 'landing.asked':
      return event.into === null
        ? 'landing on a branch of its own'
        : `landing in ${event.into}: merge, run checks, move the branch`;
    case 'landing.moved':
      return `the branch was moved to ${event.to.slice(0, 7)} meanwhile: merging and checking again`;
    case 'landing.tryFailed':
      return `cannot land yet: ${event.message}`;
    case 'landing.ended':
      return `landing: ${outcomeWords[event.outcome.kind]}`;
  }
}

const outcomeWords: Readonly<Record<string, string>> = {
  landed: 'landed',
  aside: 'the work is on a branch of its own',
  conflict: 'conflict',
  failed: 'a check failed on the merged tree',
  refused: 'refused',
  stopped: 'stopped',
};
