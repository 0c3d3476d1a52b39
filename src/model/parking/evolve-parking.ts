// Folds how an attempt parks and continues.

import { unreachable } from '../../std/assert.ts';
import type { Attempt } from '../core/attempt.ts';
import type { RunEvent } from '../core/events.ts';
import { attemptOf } from '../core/lookup.ts';
import type { PauseEvent } from '../core/pause.ts';
import type { Run } from '../core/run.ts';
import type { ParkReason } from './admission.ts';

type Concerned = Extract<
  RunEvent,
  {
    type:
      | `attempt.${'parked' | 'unparked' | 'braked' | 'limited' | 'served' | 'lineSeen' | 'ended'}`
      | 'launch.intended';
  }
>;

export function evolveParking(
  run: Run,
  event: Concerned | Extract<RunEvent, PauseEvent | { type: 'run.ended' }>,
): void {
  if (event.type === 'run.paused') {
    run.pauses[event.of] = { by: event.by, at: event.since ?? event.at };
    return;
  }
  // What a person resumes later is not held by an order from before.
  if (event.type === 'run.ended') {
    run.pauses.run = null;
    run.pauses.host = null;
    return;
  }
  if (event.type === 'run.unpaused') {
    run.pauses[event.of] = null;
    return;
  }
  const attempt = attemptOf(run, event.attemptId);
  switch (event.type) {
    case 'launch.intended':
      attempt.parking.refused = false;
      if (attempt.parking.brake?.kind === 'waits') attempt.parking.brake = null;
      return;
    case 'attempt.parked':
      endPause(attempt, event.at);
      attempt.parking.parked = { why: event.why, at: event.at, ...untilOf(attempt, event.why) };
      run.parked.set(attempt.id, attempt);
      attempt.parking.probe = false;
      if (event.why.kind !== 'asks') attempt.parking.brake = null;
      return;
    case 'attempt.unparked':
      // An agent that asked a person keeps the model that it has.
      if (attempt.parking.parked?.why.kind !== 'asks') attempt.parking.model = event.model ?? null;
      endPause(attempt, event.at);
      attempt.parking.probe = event.probe ?? false;
      run.parked.delete(attempt.id);
      return;
    case 'attempt.braked':
      attempt.parking.brake = event.why;
      return;
    case 'attempt.limited':
      // One process may report the limit several times: with its first request, its retries and its turn.
      if (!attempt.parking.refused) attempt.parking.limits += 1;
      attempt.parking.refused = attempt.launches.current !== null;
      return;
    case 'attempt.served':
      attempt.parking.limits = 0;
      attempt.parking.probe = false;
      attempt.parking.refused = false;
      return;
    case 'attempt.lineSeen':
      attempt.parking.closed = event.closed;
      return;
    case 'attempt.ended':
      run.parked.delete(attempt.id);
      return;
    default:
      unreachable(event);
  }
}

function endPause(attempt: Attempt, at: number): void {
  attempt.parking.parkedMs += Math.max(0, at - (attempt.parking.parked?.at ?? at));
  attempt.parking.parked = null;
}

/** The latest time at which it continues, if its wait has one. */
function untilOf({ waits }: Attempt, { kind }: ParkReason): { readonly until?: number } {
  return kind === 'waits' && waits !== null && waits.until !== null ? { until: waits.until } : {};
}
