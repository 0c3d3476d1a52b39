// Seeds one after the other: as many as must be, and then as many as fit into the time there is. Two files have half of them
// each, so that both of two cores are used.

import { expect } from 'vitest';
import { sized } from '../../size.ts';
import { simulate } from '../simulate.ts';

export interface SeedLimits {
  /** Fewer prove too little: the test fails. */
  readonly seedsMin: number;
  readonly seedsMax: number;
  /** For those beyond the fewest. */
  readonly usualMs: number;
  /** For the fewest, on a machine that is busy. */
  readonly latestMs: number;
}

/** Of each half. Both together: at least 300, in the full tests 2,000. */
export const seedLimits: SeedLimits = {
  seedsMin: sized(150, 1_000),
  seedsMax: 1_000,
  usualMs: (Number(process.env['SIM_SECONDS'] ?? '60') / 2) * 1_000,
  latestMs: sized(9 * 60_000, 55 * 60_000),
};

/** Of the tests that play seeds, a little more than their latest. */
export const seedsTimeoutMs = seedLimits.latestMs + 60_000;

/** Every second seed from this one on. */
export async function breakNothing(first: number): Promise<void> {
  const seeds = await playSeeds(seedLimits, Date.now, async (n) => {
    const seed = first + 2 * n;
    const result = await simulate({ seed, hashes: n % 50 === 0 });
    if (result.violations.length > 0) expect.fail(`seed ${seed}: npm run sim -- --seed ${seed}\n${result.report}`);
  });
  console.log(`${seeds} seeds from ${first} on without a violation`);
}

/** Of small runs: at least 300, in the full tests 5,000. */
export const smallLimits: SeedLimits = {
  seedsMin: sized(300, 5_000),
  seedsMax: 5_000,
  usualMs: seedLimits.usualMs / 2,
  latestMs: seedLimits.latestMs,
};

/** Small runs, which are many more in the same time. */
export async function breakNothingSmall(): Promise<void> {
  const seeds = await playSeeds(smallLimits, Date.now, async (n) => {
    const seed = n + 1;
    const result = await simulate({ seed, small: true, hashes: n % 50 === 0 });
    if (result.violations.length > 0)
      expect.fail(`seed ${seed}: npm run sim -- --small --seed ${seed}\n${result.report}`);
  });
  console.log(`${seeds} seeds of small runs without a violation`);
}

/** How many were played; throws where they are too few. */
export async function playSeeds(
  { seedsMin, seedsMax, usualMs, latestMs }: SeedLimits,
  now: () => number,
  play: (n: number) => Promise<void>,
): Promise<number> {
  const begun = now();
  let seeds = 0;
  while (seeds < seedsMax && now() - begun < (seeds < seedsMin ? latestMs : usualMs)) {
    await play(seeds);
    seeds += 1;
  }
  if (seeds < seedsMin) throw new Error(`only ${seeds} of ${seedsMin} seeds were played in ${latestMs / 1_000} s`);
  return seeds;
}
