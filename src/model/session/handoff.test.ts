// Handoffs from one session to the next, merged and bounded.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Handoff, handoffMax, handoffOf, handoffWords } from './handoff.ts';
import type { GivenHandoff } from './memory.ts';

const none: Handoff = { found: [], decided: [], changed: [], remaining: [], commands: [], tried: [] };

function given(n: number, handoff: Partial<Handoff>): GivenHandoff {
  return { artifactId: `artifact_${n}`, handoff: handoffOf({ ...none, ...handoff }) };
}

describe('a handoff', () => {
  it('merges all generations, newest first, without duplicates [HAND-8]', () => {
    const first = given(1, { found: ['a', 'b'], commands: ['make'], remaining: ['all'], tried: ['x'] });
    const second = given(2, { found: ['c', 'a'], decided: ['d'], remaining: ['the rest'], changed: ['f.ts'] });
    expect(handoffWords([first, second])).toBe(
      [
        '### Still to be done\n\n- the rest',
        '### Decided\n\n- d',
        '### Found out\n\n- c\n- a\n- b',
        '### Tried, and came to nothing\n\n- x',
        '### Commands worth running again\n\n- make',
        '### Changed\n\n- f.ts',
      ].join('\n\n'),
    );
  });

  it("keeps room for the first generation's findings, and names where the whole is [HAND-18]", () => {
    const much = Array.from({ length: 40 }, (_, i) => `${i} ${'word '.repeat(60)}`);
    const later = [2, 3, 4, 5].map((n) => given(n, { found: much.map((line) => `${n} ${line}`), decided: much }));
    const words = handoffWords([given(1, { found: ['the port is 4711'] }), ...later]);
    expect(words).toContain('- the port is 4711');
    expect(words.length).toBeLessThanOrEqual(handoffMax);
    expect(words).toContain('[cut: the whole is in artifact_5, artifact_4, artifact_3, artifact_2, artifact_1]');
  });

  it('is never longer than its bound [HAND-8]', () => {
    const lines = fc.array(fc.string({ maxLength: 900 }), { maxLength: 30 });
    const handoff = fc.record({
      found: lines,
      decided: lines,
      changed: lines,
      remaining: lines,
      commands: lines,
      tried: lines,
    });
    fc.assert(
      fc.property(fc.array(handoff, { maxLength: 21 }), (all) => {
        const words = handoffWords(all.map((each, i) => given(i, each)));
        expect(words.length).toBeLessThanOrEqual(handoffMax);
      }),
      { numRuns: 50 },
    );
  });

  it('that is longer than the journal keeps is marked as cut [HAND-8]', () => {
    const long = handoffOf({ ...none, found: ['x'.repeat(1_000)] });
    expect(long).toMatchObject({ cut: true });
    expect(long.found[0]?.length).toBeLessThan(500);
    expect(handoffOf({ ...none, found: ['short'] }).cut).toBeUndefined();
    // An older Signalbox had no such part.
    expect(handoffOf({ found: ['a'], changed: [], remaining: [], commands: [] }).decided).toEqual([]);
  });
});
