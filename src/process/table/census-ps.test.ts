import { expect, it } from 'vitest';
import { millisOf } from './census-ps.ts';

it.each([
  ['0:00.07', 70],
  ['12:34.50', 754_500],
  ['01:02:03', 3_723_000],
  ['2-01:00:00', 176_400_000],
])('the processor time %s is %i ms', (text, ms) => {
  expect(millisOf(text)).toBe(ms);
});
