// How many agents may run at the same time on this machine.

import { availableParallelism } from 'node:os';
import { Fault } from '../std/fault.ts';

export interface Slots {
  /** How many agents may run at the same time. */
  readonly slots: number;
  /** How many of these slots each harness may use. */
  readonly harnessSlots: Readonly<Record<string, number>>;
}

const slotsMax = 10_000;

/** A number, then the share of single harnesses: "10,scripted=4". */
export function slotsOf(text: string | undefined): Slots {
  const [all = '', ...shares] = (text ?? '').split(',');
  const count = (word: string): number => {
    const slots = Number(word);
    if (Number.isSafeInteger(slots) && slots >= 1 && slots <= slotsMax) return slots;
    throw new Fault(
      'bad_request',
      `SIGNALBOX_SLOTS is "${text}": it takes numbers from 1 to ${slotsMax}, as in "10,scripted=4"`,
    );
  };
  const harnessSlots = Object.fromEntries(
    shares.map((share) => {
      const [harness = '', slots = ''] = share.split('=');
      return [harness.trim(), count(slots)];
    }),
  );
  return { slots: all === '' ? Math.max(2, availableParallelism()) : count(all), harnessSlots };
}
