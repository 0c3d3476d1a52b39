// Every crash point of a small run, and the seeds that once found a bug.

import { describe, expect, it } from 'vitest';
import { simulate } from '../simulate.ts';
import all from './regressions.json' with { type: 'json' };

const regressions: readonly { seed: number; tasksMax: number; found: string; spawning?: boolean; small?: boolean }[] =
  all;

describe('the simulator', () => {
  it.each(regressions)(
    'seed $seed, which once found: $found',
    async ({ seed, tasksMax, spawning = false, small = false }) => {
      const result = await simulate({ seed, tasksMax, spawning, small, hashes: true });
      expect(result.violations, result.report).toEqual([]);
    },
  );

  it('an engine killed at any step of a small run ends it like one that was not [ENG-7] [LAU-2] [HOST-1] [HOST-2]', async () => {
    const plain = await simulate({ seed: 11, tasksMax: 3, runs: 1, spawning: false, killAtStep: 1_000_000 });
    expect(plain.violations, plain.report).toEqual([]);
    for (let step = 0; step <= plain.steps; step++) {
      const result = await simulate({ seed: 11, tasksMax: 3, runs: 1, spawning: false, killAtStep: step });
      expect(result.violations, `killed at step ${step}\n${result.report}`).toEqual([]);
    }
  });
});
