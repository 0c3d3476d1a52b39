// Keeps the last entries of a growing list, bounded in number and in size. Pure.

export interface Bounds {
  readonly count: number;
  /** Of all entries together. */
  readonly size: number;
}

/** The very last entry is kept, however large it is. */
export function newest<T>(all: readonly T[], { count, size }: Bounds, sizeOf: (one: T) => number): readonly T[] {
  const last = all.slice(-count);
  let left = size;
  const tooOld = last.findLastIndex((one, i) => (left -= sizeOf(one)) < 0 && i < last.length - 1);
  return last.slice(tooOld + 1);
}
