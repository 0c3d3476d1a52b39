// How much is tried, and chance that can be had again: every draw follows from one seed, and a failure names it.

import { isFull } from '../../size.ts';

/** Hours of it instead of seconds. */
export const isLong = isFull;

/** The amount for `npm test`, for CHAOS, or set by an environment variable of that name. */
export function amount(name: string, usual: number, long: number): number {
  const asked = Number(process.env[name] ?? '');
  return Number.isSafeInteger(asked) && asked > 0 ? asked : isLong ? long : usual;
}

export interface Chance {
  /** A whole number from `min` to `max`, both included. */
  between(min: number, max: number): number;
  pick<T>(from: readonly T[]): T;
}

/** Gives the work its chance; what it throws says which seed brings it back. */
export async function withChance(work: (chance: Chance) => Promise<void>): Promise<void> {
  const seed = Number(process.env['CHAOS_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
  try {
    await work(createChance(seed));
  } catch (error) {
    if (error instanceof Error) error.message += ` (CHAOS_SEED=${seed})`;
    throw error;
  }
}

/** Mulberry32. */
function createChance(seed: number): Chance {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1));
  return { between, pick: (from) => from[between(0, from.length - 1)] as (typeof from)[number] };
}
