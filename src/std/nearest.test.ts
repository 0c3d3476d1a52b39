import { expect, it } from 'vitest';
import { askMeant, nearest, orMeant } from './nearest.ts';

it('near names come nearest first, at most three, and those that begin alike count as nearest', () => {
  expect(nearest('tset', ['test', 'tsett', 'best', 'unrelated', 'tse', 'tset-2'])).toEqual(['tsett', 'tse', 'tset-2']);
});

it('near names are asked for, and nothing is where there are none', () => {
  expect(askMeant('tset', ['test', 'tsett'])).toBe('did you mean "tsett" or "test"?');
  expect(orMeant('tset', ['test'])).toBe('; did you mean "test"?');
  expect([askMeant('tset', ['unrelated']), orMeant('tset', [])]).toEqual([null, '']);
});
