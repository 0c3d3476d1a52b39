// A note for a clock that was set back: recorded times then lie in the future. Pure.

import { elapsed } from './figures.ts';

/** Clock synchronization moves a clock by less than this. */
const toleratedMs = 5_000;

/** null: no time lies in the future. */
export function clockNote(times: readonly number[], now: number): string | null {
  const ahead = times.reduce((most, time) => Math.max(most, time - now), 0);
  if (ahead <= toleratedMs) return null;
  return (
    `the clock was set back by at least ${elapsed(ahead)}: times shown are wrong until it has caught up; ` +
    'nothing is delayed and nothing is lost'
  );
}
