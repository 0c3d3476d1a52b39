import { expect, it } from 'vitest';
import { newest } from './newest-entries.ts';

const kept = (all: readonly number[]): readonly number[] => newest(all, { count: 3, size: 10 }, (one) => one);

it('the newest entries within count and size are kept, and always the last one', () => {
  expect(kept([1, 2, 3, 4])).toEqual([2, 3, 4]);
  expect(kept([4, 6, 4])).toEqual([6, 4]);
  expect(kept([1, 10, 1])).toEqual([1]);
  expect(kept([1, 11])).toEqual([11]);
  expect(kept([])).toEqual([]);
});
