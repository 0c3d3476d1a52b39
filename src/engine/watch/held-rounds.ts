// When the tool round of an agent in a paused run is over. Agents with a budget ask at each round whether they may continue;
// others are interrupted there, because a hook at each round would make them wait for a daemon that is down.

import type { Attempt } from '../../model/core/attempt.ts';
import { pauseOf } from '../../model/core/pause.ts';
import type { Run } from '../../model/core/run.ts';
import type { Harness } from '../../ports/harness.ts';

/** Called after each tool result, with the codec's state at that time. */
export function createHeldRounds(
  harness: Harness,
  { launches: { current: launch } }: Attempt,
  present: () => Promise<Run>,
): (codec: string) => Promise<boolean> {
  const canHold = harness.capabilities.includes('interrupt') && launch?.asks !== true;
  // Other calls of the same round, and background work, must not be cut off.
  return async (codec) => canHold && harness.inFlight(codec).length === 0 && pauseOf(await present()) !== null;
}
