import fc from 'fast-check';
import { expect, it } from 'vitest';
import { globsOverlap, parseGlob } from '../../std/path-glob.ts';
import { overlapping } from './check-writers.ts';

it('all overlaps are found, also between writers that are not compared [PLAN-8]', () => {
  const part = fc.constantFrom('a', 'ab', 'b', '*', '**', 'a*', '?', '[ab]', '{a,b}', '\\*');
  const glob = fc
    .tuple(fc.constantFrom('', '../'), fc.array(part, { minLength: 1, maxLength: 3 }), fc.constantFrom('', '/'))
    .map(([before, parts, after]) => `${before}${parts.join('/')}${after}`);
  fc.assert(
    fc.property(fc.uniqueArray(glob, { maxLength: 6 }), (globs) => {
      const found = overlapping(globs);
      for (const one of globs) {
        const expected = globs.filter((other) => one === other || globsOverlap(parseGlob(one), parseGlob(other)));
        expect([...(found.get(one) ?? [])].sort()).toEqual(expected.sort());
      }
    }),
    { numRuns: 500 },
  );
});
