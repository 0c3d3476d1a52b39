// Whether a run waits for people alone, as far as its events tell: cheap enough to ask after each of many. What else could
// go on, such as a task that is about to start, only the run's view shows.

import type { RunEvent } from '../../wire/event-names.ts';

/** To be told every event from the first one on. */
export function createWaits(): (event: RunEvent) => boolean {
  const atWork = new Set<string>();
  /** Open asks that keep a task from going on, and the attempt that asks where there is one. */
  const asked = new Map<string, string | null>();
  return (event) => {
    switch (event.type) {
      case 'attempt.started':
      case 'attempt.unparked':
        atWork.add(event.attemptId);
        break;
      case 'attempt.parked':
      case 'attempt.ended':
        atWork.delete(event.attemptId);
        break;
      case 'ask.opened':
        if (event.kind === 'permission') asked.set(event.askId, event.attemptId);
        else if (event.kind !== 'consent' && event.kind !== 'budget') asked.set(event.askId, null);
        break;
      case 'ask.answered':
      case 'ask.expired':
        asked.delete(event.askId);
        break;
      default:
    }
    if (asked.size === 0) return false;
    const asking = new Set(asked.values());
    return [...atWork].every((id) => asking.has(id));
  };
}
