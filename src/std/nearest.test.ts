import fc from 'fast-check';
import { expect, it } from 'vitest';
import { askMeant, nearest, orMeant } from './nearest.ts';

it('similar names come nearest first, at most three, and common prefixes count as nearest', () => {
  expect(nearest('tset', ['test', 'tsett', 'best', 'unrelated', 'tse', 'tset-2'])).toEqual(['tsett', 'tse', 'tset-2']);
});

it('similar names are suggested, and nothing if there are none', () => {
  expect(askMeant('tset', ['test', 'tsett'])).toBe('did you mean "tsett" or "test"?');
  expect(orMeant('tset', ['test'])).toBe('; did you mean "test"?');
  expect([askMeant('tset', ['unrelated']), orMeant('tset', [])]).toEqual([null, '']);
});

it('names within few edits are similar, also where counting stops early', () => {
  const steps = (a: string, b: string): number => {
    if (a === '' || b === '') return a.length + b.length;
    const [restA, restB] = [a.slice(1), b.slice(1)];
    if (a[0] === b[0]) return steps(restA, restB);
    return 1 + Math.min(steps(restA, restB), steps(a, restB), steps(restA, b));
  };
  const name = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 7 });
  fc.assert(
    fc.property(name, name, (word, other) => {
      const isNear = word.startsWith(other) || other.startsWith(word) || steps(word, other) <= 2;
      expect(nearest(word, [other])).toEqual(isNear ? [other] : []);
    }),
  );
});
