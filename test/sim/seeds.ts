// Seeds one after the other, as many as fit into the time there is. Two files have half of them each, so that both of two
// cores are used.

import { expect } from 'vitest';
import { simulate } from './simulate.ts';

/** Of both halves together: `npm test` has a minute for them on two cores. */
const secondsMax = Number(process.env['SIM_SECONDS'] ?? '100') / 2;

/** More are for `npm run sim`: what is tested is to be the same on a fast machine, where its time allows. */
const seedsMax = 1_000;
/** A busy machine plays few; one that plays none shows nothing. */
const seedsMin = 10;

/** Every second seed from this one on. */
export async function breakNothing(first: number): Promise<void> {
  const deadline = Date.now() + secondsMax * 1_000;
  let seeds = 0;
  for (; seeds < seedsMax && Date.now() < deadline; seeds++) {
    const seed = first + 2 * seeds;
    const result = await simulate({ seed, hashes: seeds % 50 === 0 });
    if (result.violations.length > 0) expect.fail(`seed ${seed}: npm run sim -- --seed ${seed}\n${result.story}`);
  }
  console.log(`${seeds} seeds from ${first} on without a violation`);
  expect(seeds).toBeGreaterThan(seedsMin);
}
