// Folds how an attempt comes to have no process for a while, and goes on again.

import { unreachable } from '../../std/assert.ts';
import type { RunEvent } from '../events.ts';
import { lookAgain } from '../graph/ready.ts';
import { attemptOf, taskOf } from '../lookup.ts';
import type { Run } from '../run.ts';
import { spentOf } from './budget.ts';

type ParkingEvent = Extract<
  RunEvent,
  { type: `attempt.${'parked' | 'unparked' | 'braked' | 'limited' | 'served' | 'told'}` }
>;

export function evolveParking(run: Run, event: ParkingEvent): void {
  const attempt = attemptOf(run, event.attemptId);
  switch (event.type) {
    case 'attempt.parked':
      attempt.parked = { why: event.why, at: event.at };
      attempt.stop = null;
      attempt.brake = null;
      attempt.reserved = null;
      attempt.probe = false;
      run.parked.set(attempt.id, attempt);
      return lookAgain(run);
    case 'attempt.unparked':
      attempt.parkedMs += Math.max(0, event.at - (attempt.parked?.at ?? event.at));
      attempt.parked = null;
      attempt.reserved = event.reserved ?? null;
      attempt.spentBefore = spentOf(taskOf(run, attempt.taskId).treeUsage);
      attempt.model = event.model ?? null;
      attempt.probe = event.probe ?? false;
      // After a loss it is one of those that a host which keeps dying must not go on with for ever.
      if (attempt.launch?.state !== 'lost') attempt.launchesAfterPause += 1;
      run.parked.delete(attempt.id);
      return;
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
