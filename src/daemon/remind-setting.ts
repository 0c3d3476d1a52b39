// After how long people are reminded of asks that they have not answered.

import { Fault } from '../std/fault.ts';

/** From the variable SIGNALBOX_REMIND, in minutes; null = never. */
export function remindFrom(given: string): number | null {
  if (given === '' || given === 'off') return null;
  const minutes = Number(given);
  if (Number.isFinite(minutes) && minutes > 0) return remindOf(minutes);
  throw new Fault('bad_request', `SIGNALBOX_REMIND is "${given}": it takes minutes, as in 30, or off`);
}

/** From the configuration file: minutes, or off. */
export function remindOf(minutes: number | 'off' | undefined): number | null {
  return minutes === undefined || minutes === 'off' ? null : minutes * 60_000;
}
