// The guard of the seed tests: too few seeds are a failure, however slow the machine is.

import { expect, it } from 'vitest';
import { playSeeds, seedLimits } from './seeds.ts';

/** Each seed takes so long on a clock of its own. */
function play(limits: typeof seedLimits, seedMs: number): Promise<number> {
  let at = 0;
  return playSeeds(
    limits,
    () => at,
    async () => {
      at += seedMs;
    },
  );
}

const limits = { seedsMin: 150, seedsMax: 1_000, usualMs: 30_000, latestMs: 540_000 };

it('the seed tests fail when fewer than 300 seeds were played', async () => {
  await expect(play(limits, 4_000)).rejects.toThrow('only 135 of 150 seeds were played in 540 s');
  expect(2 * seedLimits.seedsMin).toBeGreaterThanOrEqual(300);
});

it('a slow machine plays the minimum, a fast one as many as its time allows, and none more than the maximum', async () => {
  expect(await play(limits, 3_000)).toBe(150);
  expect(await play(limits, 100)).toBe(300);
  expect(await play(limits, 1)).toBe(1_000);
});
