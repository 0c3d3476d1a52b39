// The guard of the kill sweeps: they fail when they kill nothing.

import { describe, expect, it } from 'vitest';
import { sweepPoints } from './scenarios/crash/kill-sweep.ts';

const upTo = (points: number) => (point: number) => Promise.resolve(point <= points ? `step ${point}` : null);
const sweep = { first: 2, every: 3, pointsMin: 6, pointsMax: 100 };

describe('a kill sweep', () => {
  it('kills at one point of so many and ends behind the last', async () => {
    expect([...(await sweepPoints(sweep, upTo(9)))]).toEqual([
      [2, 'step 2'],
      [5, 'step 5'],
      [8, 'step 8'],
    ]);
  });

  it('fails when it never reached its point', async () => {
    await expect(sweepPoints(sweep, upTo(0))).rejects.toThrow('point 2 was never reached');
    await expect(sweepPoints(sweep, upTo(4))).rejects.toThrow('point 5 was never reached');
    await expect(sweepPoints({ ...sweep, every: null }, upTo(1))).rejects.toThrow('point 2 was never reached');
  });

  it('of one point alone kills once', async () => {
    expect([...(await sweepPoints({ ...sweep, every: null }, upTo(9))).keys()]).toEqual([2]);
  });

  it('fails when it does not end', async () => {
    await expect(sweepPoints(sweep, upTo(1_000))).rejects.toThrow('does not end');
  });
});
