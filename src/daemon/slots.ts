// How many agents may run at the same time on this machine: by its memory, not its processors, because agents wait for their
// model most of the time. An account whose service refuses lowers the number by itself while that lasts.

import { totalmem } from 'node:os';
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
  return { slots: all === '' ? slotsByMemory() : count(all), harnessSlots };
}

/** What an agent needs with its builds and tests. */
const bytesEach = 2 ** 30;

/** One for each GiB, from 2 to 16: more agents than that use up the rate limits of most accounts. */
export function slotsByMemory(bytes = memoryBytes()): number {
  return Math.min(16, Math.max(2, Math.floor(bytes / bytesEach)));
}

/** The memory of this machine, or of the container that we are in. */
function memoryBytes(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

/** From the configuration file. */
export function configuredSlots(given: number | { readonly all: number } | undefined): Slots {
  if (given === undefined) return { slots: slotsByMemory(), harnessSlots: {} };
  if (typeof given === 'number') return { slots: given, harnessSlots: {} };
  const { all, ...harnessSlots } = given;
  return { slots: all, harnessSlots };
}
