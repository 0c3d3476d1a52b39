// A word on a clock that was set back: what has happened then lies in the future. Pure.

import { elapsed } from './figures.ts';

/** Clocks that are kept right move by less. */
const toleratedMs = 5_000;

/** null: nothing lies in the future. */
export function clockNote(times: readonly number[], now: number): string | null {
  const ahead = times.reduce((most, time) => Math.max(most, time - now), 0);
  if (ahead <= toleratedMs) return null;
  return (
    `the clock was set back by at least ${elapsed(ahead)}: times are shown wrong until it has caught up; ` +
    'nothing waits for it and nothing is lost'
  );
}
