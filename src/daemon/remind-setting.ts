// After how long people are reminded of asks that they have not answered.

import { Fault } from '../std/fault.ts';

/** In minutes; null = never. */
export function remindOf(given: string): number | null {
  if (given === '' || given === 'off') return null;
  const minutes = Number(given);
  if (Number.isFinite(minutes) && minutes > 0) return minutes * 60_000;
  throw new Fault('bad_request', `SIGNALBOX_REMIND is "${given}": it takes minutes, as in 30, or off`);
}
