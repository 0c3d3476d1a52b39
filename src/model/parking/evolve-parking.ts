// Folds how an attempt comes to have no slot for a while, and goes on again.

import { unreachable } from '../../std/assert.ts';
import type { Attempt } from '../core/attempt.ts';
import type { RunEvent } from '../core/events.ts';
import { attemptOf, taskOf } from '../core/lookup.ts';
import type { Run } from '../core/run.ts';
import { lookAgain } from '../ready/ready-queues.ts';
import { spentOf } from '../spending/budget.ts';
import type { ParkReason } from './admission.ts';

type ParkingEvent = Extract<
  RunEvent,
  { type: `attempt.${'parked' | 'unparked' | 'braked' | 'limited' | 'served' | 'told'}` }
>;

export function evolveParking(run: Run, event: ParkingEvent): void {
  const attempt = attemptOf(run, event.attemptId);
  switch (event.type) {
    case 'attempt.parked':
      endPause(attempt, event.at);
      attempt.parked = { why: event.why, at: event.at, ...untilOf(attempt, event.why) };
      run.parked.set(attempt.id, attempt);
      // Its turn goes on with the answer, and with what was set apart for that.
      attempt.probe = false;
      if (event.why.kind === 'asks') return;
      attempt.stop = null;
      attempt.brake = null;
      attempt.reserved = null;
      return lookAgain(run);
    case 'attempt.unparked': {
      const asked = attempt.parked?.why.kind === 'asks';
      endPause(attempt, event.at);
      attempt.probe = event.probe ?? false;
      run.parked.delete(attempt.id);
      if (asked) return;
      attempt.reserved = event.reserved ?? null;
      attempt.spentBefore = spentOf(taskOf(run, attempt.taskId).treeUsage);
      attempt.model = event.model ?? null;
      // After a loss it is one of those that a host which keeps dying must not go on with for ever.
      if (attempt.launch?.state !== 'lost') attempt.launchesAfterPause += 1;
      return;
    }
    case 'attempt.braked':
      attempt.brake = event.why;
      return;
    case 'attempt.limited':
      // A process may tell it of its first request, of its retries, and of its turn.
      if (attempt.launch?.refused !== true) attempt.limits += 1;
      if (attempt.launch !== null) attempt.launch.refused = true;
      return;
    case 'attempt.served':
      attempt.limits = 0;
      attempt.probe = false;
      if (attempt.launch !== null) attempt.launch.refused = false;
      return;
    case 'attempt.told':
      // For its account, which outlives the run.
      return;
    default:
      unreachable(event);
  }
}

function endPause(attempt: Attempt, at: number): void {
  attempt.parkedMs += Math.max(0, at - (attempt.parked?.at ?? at));
  attempt.parked = null;
}

/** When it goes on at the latest, if it waits and has said so. */
function untilOf({ waits }: Attempt, { kind }: ParkReason): { readonly until?: number } {
  return kind === 'waits' && waits !== null && waits.until !== null ? { until: waits.until } : {};
}
