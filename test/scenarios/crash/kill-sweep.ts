// Kills at one point after the other. A sweep that never came to the point at which it was to kill has tested nothing, and fails.

export interface Sweep {
  readonly first: number;
  /** The distance between two points; null = the first point alone. */
  readonly every: number | null;
  /** There are at least so many: one of these that is not reached is a failure and not the end of the sweep. */
  readonly pointsMin: number;
  /** Far more than there are: a sweep that does not end is a mistake. */
  readonly pointsMax: number;
}

/** `killedAt` returns where the process died, or null if it did not reach that point. Returns where it died, by point. */
export async function sweepPoints(
  { first, every, pointsMin, pointsMax }: Sweep,
  killedAt: (point: number) => Promise<string | null>,
): Promise<ReadonlyMap<number, string>> {
  const seen = new Map<number, string>();
  for (let point = first; ; point += every ?? pointsMax) {
    if (point >= pointsMax && every !== null)
      throw new Error(`point ${point} was still reached: the sweep does not end`);
    const diedAt = await killedAt(point);
    if (diedAt !== null) seen.set(point, diedAt);
    else if (point <= pointsMin) {
      throw new Error(`point ${point} was never reached, although there are at least ${pointsMin}: nothing was killed`);
    }
    if (diedAt === null || every === null) return seen;
  }
}
