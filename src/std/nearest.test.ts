import { expect, it } from 'vitest';
import { nearest } from './nearest.ts';

it('near names come nearest first, at most three, and those that begin alike count as nearest', () => {
  expect(nearest('tset', ['test', 'tsett', 'best', 'unrelated', 'tse', 'tset-2'])).toEqual(['tsett', 'tse', 'tset-2']);
});
