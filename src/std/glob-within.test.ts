import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { globWithin } from './glob-within.ts';
import { globFits, parseGlob } from './path-glob.ts';

const within = (glob: string, ...others: string[]): boolean => globWithin(parseGlob(glob), others.map(parseGlob));

describe('globWithin', () => {
  it.each([
    ['src/a.ts', 'src'],
    ['src/**', 'src'],
    ['src/*.ts', 'src/**'],
    ['src/{a,b}/**', 'src/a', 'src/b'],
    ['docs/[a-c].md', 'docs/?.md'],
    ['a', '**'],
  ])('%s is inside', (glob, ...others) => expect(within(glob, ...others)).toBe(true));

  it.each([
    ['src', 'src/a.ts'],
    ['**', 'src'],
    ['src/*', 'src/*.ts'],
    ['src/{a,c}/**', 'src/a', 'src/b'],
    ['docs/[!a].md', 'docs/[b-z].md'],
    ['srcs', 'src'],
    ['a'],
  ])('%s is not inside', (glob, ...others) => expect(within(glob, ...others)).toBe(false));

  it('never calls a glob inside if it matches a path that the others do not', () => {
    const part = fc.constantFrom('a', 'b', '*', '**', '?', '[ab]', '{a,b}', 'a*');
    const glob = fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'));
    const path = fc.array(fc.constantFrom('a', 'b', 'ab', 'c'), { minLength: 1, maxLength: 4 }).map((p) => p.join('/'));
    fc.assert(
      fc.property(glob, fc.array(glob, { maxLength: 3 }), fc.array(path, { maxLength: 30 }), (inner, outer, paths) => {
        if (!within(inner, ...outer)) return;
        for (const each of paths.filter((one) => globFits(parseGlob(inner), one))) {
          expect(outer.some((other) => globFits(parseGlob(other), each))).toBe(true);
        }
      }),
    );
  });

  it('gives up early where it would take long', () => {
    const others = Array.from({ length: 200 }, (_, i) => `${'*a'.repeat(49)}${i}`);
    const since = performance.now();
    expect(within('*a'.repeat(50), ...others)).toBe(false);
    expect(performance.now() - since).toBeLessThan(5_000);
  });
});
