// Thousands of seeds in the time there is, every crash point of a small run, and the seeds that once found a bug.

import { describe, expect, it } from 'vitest';
import all from './regressions.json' with { type: 'json' };
import { simulate } from './simulate.ts';

const regressions: readonly { seed: number; tasksMax: number; found: string; crew?: boolean }[] = all;

/** As many seeds as fit: `npm test` has two minutes for them on two cores. */
const secondsMax = Number(process.env['SIM_SECONDS'] ?? '100');
const firstSeed = 1;

describe('the simulator', () => {
  it.each(regressions)('seed $seed, which once showed: $found', async ({ seed, tasksMax, crew = false }) => {
    const result = await simulate({ seed, tasksMax, crew, hashes: true });
    expect(result.violations, result.story).toEqual([]);
  });

  it('an engine killed at any step of a small run comes to the same end as one that was not [ENG-7] [LAU-2] [HOST-1] [HOST-2]', async () => {
    const plain = await simulate({ seed: 11, tasksMax: 3, runs: 1, crew: false, killAtStep: 1_000_000 });
    expect(plain.violations, plain.story).toEqual([]);
    for (let step = 0; step <= plain.steps; step++) {
      const result = await simulate({ seed: 11, tasksMax: 3, runs: 1, crew: false, killAtStep: step });
      expect(result.violations, `killed at step ${step}\n${result.story}`).toEqual([]);
    }
  });

  it('breaks no invariant under any seed that time allows [ENG-2] [ENG-3] [ENG-8] [ENG-9] [BUD-2] [BUD-10] [BUD-13] [QUOTA-8]', {
    timeout: 600_000,
  }, async () => {
    const deadline = Date.now() + secondsMax * 1_000;
    let seed = firstSeed;
    for (; Date.now() < deadline; seed++) {
      const result = await simulate({ seed, hashes: seed % 50 === 0 });
      if (result.violations.length > 0) expect.fail(`seed ${seed}: npm run sim -- --seed ${seed}\n${result.story}`);
    }
    console.log(`${seed - firstSeed} seeds without a violation`);
    expect(seed - firstSeed).toBeGreaterThan(secondsMax);
  });
});
