// Whether a run waits only for people, judged by its events: cheap enough to check after each of many. Only the view of the run
// shows what else could continue, such as a task that is about to start.

import type { RunEvent } from '../../wire/event-names.ts';

/** Needs every event of the run, from the first. */
export function createWaits(): (event: RunEvent) => boolean {
  const atWork = new Set<string>();
  /** Open asks that block a task, and the attempt that asks if there is one. */
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
        if ('attemptId' in event) asked.set(event.askId, event.attemptId);
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
