// Decides which works of a queue are integrated together, and finds the one at fault if they fail: chooses what to test next,
// knowing only what merges and what passes. Every commit that the branch may move to has passed as it is.

import { must } from '../../std/assert.ts';

/** A line of merges: `Tip` is one commit of it, with everything before it. */
export interface Track<Work, Tip extends object> {
  /** The tip with this work merged; null: there is a conflict. */
  join(tip: Tip, work: Work): Promise<Tip | null>;
  passes(tip: Tip): Promise<boolean>;
}

export type Placed<Work, Tip> =
  | { readonly kind: 'integrated'; readonly work: Work; readonly tip: Tip }
  /** It conflicts with `tip`, all of which is integrated. */
  | { readonly kind: 'conflict'; readonly work: Work; readonly tip: Tip }
  /** `tip` passes and is integrated; `joined`, which is `tip` with the work, fails. */
  | { readonly kind: 'failed'; readonly work: Work; readonly tip: Tip; readonly joined: Tip };

/**
 * In the order of the works. With n works of which k fail it tests at most 1 + k(⌈log2 n⌉ + 1) times. A work that
 * conflicts with a failing one is tried again without it.
 */
export async function sortOut<Work, Tip extends object>(
  head: Tip,
  works: readonly Work[],
  track: Track<Work, Tip>,
): Promise<Placed<Work, Tip>[]> {
  const placed: Placed<Work, Tip>[] = [];
  let tip = head;
  let rest = works;
  while (rest.length > 0) {
    const tries = await joinAll(tip, rest, track);
    const bad = await firstBad(tries, track);
    // A conflict behind the failing work says nothing: it was not tried on integrated work.
    placed.push(...(bad === null ? tries : tries.slice(0, tries.indexOf(bad))));
    if (bad === null) break;
    const { work, before } = bad;
    placed.push({ kind: 'failed', work, tip: before, joined: bad.tip });
    tip = before;
    rest = works.slice(placed.length);
  }
  return placed;
}

type Joined<Work, Tip> = Extract<Placed<Work, Tip>, { kind: 'integrated' }> & { readonly before: Tip };

type Tried<Work, Tip> = Joined<Work, Tip> | Extract<Placed<Work, Tip>, { kind: 'conflict' }>;

async function joinAll<Work, Tip extends object>(
  start: Tip,
  works: readonly Work[],
  { join }: Track<Work, Tip>,
): Promise<Tried<Work, Tip>[]> {
  const tries: Tried<Work, Tip>[] = [];
  let before = start;
  for (const work of works) {
    const tip = await join(before, work);
    tries.push(tip === null ? { kind: 'conflict', work, tip: before } : { kind: 'integrated', work, tip, before });
    before = tip ?? before;
  }
  return tries;
}

/** Try all of them first: most often all pass. */
async function firstBad<Work, Tip extends object>(
  tries: readonly Tried<Work, Tip>[],
  { passes }: Track<Work, Tip>,
): Promise<Joined<Work, Tip> | null> {
  const line = tries.filter((each) => each.kind === 'integrated');
  const last = line.at(-1);
  if (last === undefined || (await passes(last.tip))) return null;
  const first = await bisect(line.length, (count) => passes(must(line[count - 1], 'it is one of them').tip));
  return must(line[first - 1], 'it is one of them');
}

/** Whether a check passes after this many of the steps since a work's base, with the work and without. */
export interface Steps {
  withWork(count: number): Promise<boolean>;
  without(count: number): Promise<boolean>;
}

/**
 * The step together with which a work fails, counted from 1; null: it fails by itself, or the check passes nowhere. It
 * is known to fail after the last step. Tests at most ⌈log2 n⌉ + 1 times for n steps where the check passes before the
 * first, else at most 2⌈log2 n⌉ + 3 times.
 */
export async function partnerOf(count: number, { withWork, without }: Steps): Promise<number | null> {
  if (count === 0) return null;
  if (await withWork(0)) return bisect(count, withWork);
  // A check that one of the steps added passes nowhere before it, with or without the work.
  if ((await without(0)) || !(await without(count))) return null;
  return bisect(count, async (n) => (await withWork(n)) || !(await without(n)));
}

/** The least of 1 to `bad` that fails where the one before passes. That 0 passes and `bad` fails is known. */
async function bisect(bad: number, passes: (count: number) => Promise<boolean>): Promise<number> {
  let [low, high] = [0, bad];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (await passes(middle)) low = middle;
    else high = middle;
  }
  return high;
}
