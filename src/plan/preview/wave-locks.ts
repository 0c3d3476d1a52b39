// The paths that tasks of one wave hold: which task can start beside them, and which has to wait for which.

import type { Overlaps } from '../check/check-writers.ts';
import { keeps, type Plan, type PlanTask } from '../plan.ts';
import { type PathSet, type PathSets, pathSets } from '../task-paths.ts';

/** The path sets of the tasks that have not started: the last `count`. Tasks of a matrix that share one set repeat it. */
export function nextSets({ kind, sets }: PathSets, count: number): readonly PathSet[] {
  return kind === 'apart' ? sets.slice(-count) : Array.from({ length: count }, () => sets[0] as PathSet);
}

/** How many of them can start together, in their order; at least the first. */
export function takeLocks(name: string, sets: readonly PathSet[], locks: Locks, overlaps: Overlaps): number {
  let now = 0;
  for (const set of sets) {
    if (now > 0 && holder(locks, overlaps, set) !== null) return now;
    for (const glob of set.writes) locks.writes.set(glob, name);
    for (const glob of set.reads) locks.reads.set(glob, name);
    now += 1;
  }
  return now;
}

/** Nothing that a throw-away task writes is kept, so it blocks no other task. */
export function keptSets(plan: Plan, task: PlanTask): PathSets {
  const { kind, sets } = pathSets(task);
  return { kind, sets: keeps(plan, task) ? sets : sets.map(({ reads }) => ({ writes: [], reads })) };
}

export const allGlobs = ({ sets }: PathSets): string[] => sets.flatMap(({ writes, reads }) => [...writes, ...reads]);

/** The task that holds each glob. */
export interface Locks {
  readonly writes: Map<string, string>;
  readonly reads: Map<string, string>;
}

/** The task of this wave that holds the path, and the path. */
export function holder(
  locks: Locks,
  overlaps: Overlaps,
  { writes, reads }: PathSet,
): { by: string; path: string } | null {
  for (const [globs, held] of [
    [writes, [locks.writes, locks.reads]],
    [reads, [locks.writes]],
  ] as const) {
    for (const other of globs.flatMap((glob) => overlaps.get(glob) ?? [])) {
      const by = held.map((each) => each.get(other)).find((name) => name !== undefined);
      if (by !== undefined) return { by, path: other };
    }
  }
  return null;
}
