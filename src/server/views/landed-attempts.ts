// The attempts of a run whose work is in a branch of the user's, by the record of its landings. Reads only.

import type { RunEvent } from '../../model/core/events.ts';
import { type AttemptId, type RunId, type TaskId, taskOfAttempt } from '../../model/core/ids.ts';
import type { Journal } from '../../ports/journal.ts';
import { eventsOf } from './artifact-list.ts';

const types = ['integration.succeeded', 'landing.asked', 'landing.ended'] as const;
type Told = Extract<RunEvent, { type: (typeof types)[number] }>;

export async function landedAttempts(journal: Pick<Journal, 'read'>, runId: RunId): Promise<ReadonlySet<AttemptId>> {
  return attemptsIn(await eventsOf(journal, runId, ...types));
}

/** Exported for its test. Events in the order of the journal. */
export function attemptsIn(events: readonly Told[]): ReadonlySet<AttemptId> {
  const integrated: AttemptId[] = [];
  const landed = new Set<AttemptId>();
  let asked: readonly TaskId[] | undefined;
  for (const event of events) {
    if (event.type === 'integration.succeeded') integrated.push(event.attemptId);
    else if (event.type === 'landing.asked') asked = event.tasks;
    else if (event.outcome.kind === 'landed') {
      for (const id of integrated) if (asked?.includes(taskOfAttempt(id)) ?? true) landed.add(id);
    }
  }
  return landed;
}
