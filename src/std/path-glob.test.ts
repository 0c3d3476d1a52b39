import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { flawOfGlob, globFits, globsOverlap, parseGlob } from './path-glob.ts';

const fits = (glob: string, path: string) => globFits(parseGlob(glob), path);
const overlap = (a: string, b: string) => globsOverlap(parseGlob(a), parseGlob(b));

describe('a glob', () => {
  it.each([
    ['src/*.ts', 'src/a.ts', true],
    ['src/*.ts', 'src/a/b.ts', false],
    ['src/**', 'src/a/b.ts', true],
    ['src/**', 'src', false],
    ['**/b.ts', 'b.ts', true],
    ['**/b.ts', 'a/c/b.ts', true],
    ['**/b.ts', 'a/cb.ts', false],
    ['a/**/b', 'a/b', true],
    ['a/**/b', 'a/x/y/b', true],
    ['**', 'anything/at/all', true],
    ['src', 'src/deep/file', true],
    ['src', 'srcs', false],
    ['./src/', 'src/x', true],
    ['?.md', 'a.md', true],
    ['?.md', '/.md', false],
    ['[a-c]x', 'bx', true],
    ['[!a-c]x', 'bx', false],
    ['[!a-c]x', 'dx', true],
    ['[]]x', ']x', true],
    ['{a,b/{c,d}}.ts', 'b/d.ts', true],
    ['{a,b/{c,d}}.ts', 'd.ts', false],
    ['a\\*b', 'a*b', true],
    ['a\\*b', 'axb', false],
    ['ünï*', 'ünï🙂', true],
  ])('%s on %s: %s', (glob, path, expected) => expect(fits(glob, path)).toBe(expected));

  it.each(['', '/etc', '../x', 'a/../../b', '[a', '{a', '[z-a]'])('%j is refused with a sentence', (glob) => {
    expect(flawOfGlob(glob)).toContain('is not a path in the repository');
  });
});

describe('two globs', () => {
  it.each([
    ['src/**', 'src/a.ts', true],
    ['src/**', 'test/**', false],
    ['**/*.ts', 'src/**', true],
    ['*.ts', '*.md', false],
    ['a*c', 'ab*', true],
    ['src/*/x', 'src/y/*', true],
    ['src/?', 'src/ab', false],
    ['a/**/z', '**/m/**', true],
    ['[a-f]*', '[g-z]*', false],
    ['[!a]', '[!b]', true],
    ['src', 'src/deep/**', true],
    ['src/a', 'src/b', false],
  ])('%s and %s: %s', (a, b, expected) => {
    expect(overlap(a, b)).toBe(expected);
    expect(overlap(b, a)).toBe(expected);
  });

  // Every path of a small world, so that "never" can be looked up.
  const names = ['a', 'b', 'ab', 'ba'];
  const paths = names.flatMap((x) => [
    x,
    ...names.flatMap((y) => [`${x}/${y}`, ...names.map((z) => `${x}/${y}/${z}`)]),
  ]);
  const part = fc.constantFrom('a', 'b', 'ab', '*', '**', '?', 'a*', '*b', '[ab]', '[!a]', '{a,b}', 'a?');
  const glob = fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'));

  it('overlap if some path matches both', () => {
    fc.assert(
      fc.property(glob, glob, (a, b) => {
        const common = paths.find((path) => fits(a, path) && fits(b, path));
        if (common !== undefined) expect(overlap(a, b), `${a} and ${b} on ${common}`).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  it('do not overlap if no path of a small world matches both and neither has depth or character wildcards', () => {
    // Without ** and without characters that no class names, the small world holds every path that both could fit.
    const tame = fc.constantFrom('a', 'b', 'ab', '[ab]', '{a,b}', 'a[ab]');
    const exact = fc.array(tame, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'));
    const characters = ['a', 'b'];
    const words = characters.flatMap((x) => [x, ...characters.map((y) => x + y)]);
    const small = words.flatMap((x) => [
      x,
      ...words.flatMap((y) => [`${x}/${y}`, ...words.map((z) => `${x}/${y}/${z}`)]),
    ]);
    fc.assert(
      fc.property(exact, exact, (a, b) => {
        expect(overlap(a, b), `${a} and ${b}`).toBe(small.some((path) => fits(a, path) && fits(b, path)));
      }),
      { numRuns: 500 },
    );
  });

  it('are compared quickly when long', () => {
    const long = `${'a*'.repeat(200)}/**/${'?b'.repeat(100)}`;
    expect(overlap(long, long)).toBe(true);
  });
});
