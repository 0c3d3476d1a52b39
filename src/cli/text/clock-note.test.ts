import { expect, it } from 'vitest';
import { clockNote } from './clock-note.ts';

it('a clock that was set back is reported, small jitter is not', () => {
  expect(clockNote([], 0)).toBe(null);
  expect(clockNote([1_000, 4_000], 0)).toBe(null);
  expect(clockNote([1_000, 90_000], 0)).toContain('set back by at least 1m 30s');
});
