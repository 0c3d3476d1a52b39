// Which works of a queue are integrated, and how many tests that takes, over queues and checks of every kind.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Placed, partnerOf, sortOut, type Track } from './batch-bisection.ts';

/** A tip is the list of works merged into it, in order. */
type Tip = readonly number[];

interface World extends Track<number, Tip> {
  readonly asked: Tip[];
}

function worldOf(fits: (tip: Tip, work: number) => boolean, passes: (tip: Tip) => boolean): World {
  const asked: Tip[] = [];
  return {
    asked,
    join: async (tip, work) => (fits(tip, work) ? [...tip, work] : null),
    async passes(tip) {
      asked.push(tip);
      return passes(tip);
    },
  };
}

/** Any answer, the same for the same question. */
function verdict(seed: number, share: number, ...question: readonly number[]): boolean {
  let hash = seed | 1;
  for (const part of question) hash = Math.imul(hash ^ (part + 0x9e3779b9), 0x85ebca6b) ^ (hash >>> 13);
  return (hash >>> 0) / 2 ** 32 < share;
}

const log2 = (n: number): number => (n === 0 ? 0 : Math.ceil(Math.log2(n)));
const numbers = (n: number): number[] => Array.from({ length: n }, (_, at) => at);
const ofKind = (placed: readonly Placed<number, Tip>[], kind: string) => placed.filter((each) => each.kind === kind);

describe('a queue of works', () => {
  const shares = fc.double({ min: 0, max: 1, noNaN: true });
  const anything = fc.record({ n: fc.nat(20), seed: fc.nat(), fitting: shares, passing: shares });

  it('is integrated as a serial order of merges whose last tree passed [INT-12]', async () => {
    await fc.assert(
      fc.asyncProperty(anything, async ({ n, seed, fitting, passing }) => {
        const fits = (tip: Tip, work: number) => verdict(seed, fitting, 1, work, ...tip);
        const passes = (tip: Tip) => verdict(seed, passing, 2, ...tip);
        const world = worldOf(fits, passes);
        const placed = await sortOut<number, Tip>([], numbers(n), world);
        expect(placed.map(({ work }) => work)).toEqual(numbers(n));
        const integrated = ofKind(placed, 'integrated').map(({ work }) => work);
        expect(integrated.length === 0 || passes(integrated)).toBe(true);
        let tip: Tip = [];
        for (const each of placed) {
          if (each.kind === 'integrated') {
            expect(each.tip).toEqual([...tip, each.work]);
            tip = each.tip;
          } else expect(each.tip).toEqual(tip);
          if (each.kind === 'conflict') expect(fits(tip, each.work)).toBe(false);
          if (each.kind === 'failed') {
            expect(each.joined).toEqual([...tip, each.work]);
            expect(passes(each.joined)).toBe(false);
            expect(tip.length === 0 || passes(tip)).toBe(true);
          }
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('with n works of which k fail needs at most 1 + k(⌈log2 n⌉ + 1) checks, none twice [INT-13]', async () => {
    await fc.assert(
      fc.asyncProperty(anything, async ({ n, seed, fitting, passing }) => {
        const world = worldOf(
          (tip, work) => verdict(seed, fitting, 1, work, ...tip),
          (tip) => verdict(seed, passing, 2, ...tip),
        );
        const placed = await sortOut<number, Tip>([], numbers(n), world);
        const k = ofKind(placed, 'failed').length;
        expect(world.asked.length).toBeLessThanOrEqual(1 + k * (log2(n) + 1));
        expect(new Set(world.asked.map(String)).size).toBe(world.asked.length);
      }),
      { numRuns: 2_000 },
    );
  });

  it('leaves out exactly the bad works if each is bad by itself [INT-13]', async () => {
    const some = fc
      .nat(40)
      .chain((n) => fc.record({ n: fc.constant(n), bad: fc.uniqueArray(fc.nat(Math.max(0, n - 1))) }));
    await fc.assert(
      fc.asyncProperty(some, async ({ n, bad }) => {
        const world = worldOf(
          () => true,
          (tip) => !tip.some((work) => bad.includes(work)),
        );
        const placed = await sortOut<number, Tip>([], numbers(n), world);
        const failed = ofKind(placed, 'failed').map(({ work }) => work);
        expect(failed).toEqual(numbers(n).filter((work) => bad.includes(work)));
        expect(ofKind(placed, 'integrated')).toHaveLength(n - failed.length);
      }),
    );
  });

  it('retries a work that conflicted with one that failed [INT-20]', async () => {
    const world = worldOf(
      (tip, work) => !(work === 1 && tip.includes(0)),
      (tip) => !tip.includes(0),
    );
    const placed = await sortOut<number, Tip>([], [0, 1, 2], world);
    expect(placed.map(({ kind }) => kind)).toEqual(['failed', 'integrated', 'integrated']);
  });
});

describe('a work that fails together with another', () => {
  /** The steps with which the check begins to hold at all, and with which it begins to fail with the work. */
  const pair = fc
    .integer({ min: 1, max: 200 })
    .chain((n) => fc.record({ n: fc.constant(n), begins: fc.nat(n), breaks: fc.integer({ min: 0, max: n }) }));

  it('is reported with its partner after at most ⌈log2 n⌉ + 1 checks, or 2⌈log2 n⌉ + 3 if the check came later [INT-14]', async () => {
    await fc.assert(
      fc.asyncProperty(pair, async ({ n, begins, breaks }) => {
        let asked = 0;
        const found = await partnerOf(n, {
          async withWork(count) {
            asked += 1;
            return count >= begins && count < breaks;
          },
          async without(count) {
            asked += 1;
            return count >= begins;
          },
        });
        const last = Math.max(begins, breaks);
        expect(found).toBe(last === 0 ? null : last);
        expect(asked).toBeLessThanOrEqual(begins === 0 && breaks > 0 ? log2(n) + 1 : 2 * log2(n) + 3);
      }),
      { numRuns: 1_000 },
    );
  });

  it('fails alone if nothing was integrated since, or the check passes nowhere', async () => {
    const never = async () => false;
    const always = async () => true;
    expect(await partnerOf(0, { withWork: always, without: always })).toBeNull();
    expect(await partnerOf(7, { withWork: never, without: never })).toBeNull();
    expect(await partnerOf(7, { withWork: never, without: always })).toBeNull();
  });
});
