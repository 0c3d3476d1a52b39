import { expect, it } from 'vitest';
import { partWords } from './budget-words.ts';

it('spent amounts are shown in the units of the budget [BUD-16]', () => {
  expect(partWords('microUsd', 60_000, 50_000)).toBe('$0.06 of $0.05');
  expect(partWords('microUsd', 1, 5_000_000)).toBe('$0.000001 of $5.00');
  expect(partWords('tokens', 1_102, 1_000)).toBe('1,102 of 1,000 tokens');
  expect(partWords('agents', 2, 2)).toBe('2 of 2 agents');
  expect(partWords('timeMs', 2_400, 2_000)).toBe('2s of 2s');
  expect(partWords('timeMs', 5_405_000, 5_400_000)).toBe('1h 30m 5s of 1h 30m');
  expect(partWords('timeMs', 0, 36_000_000)).toBe('0s of 10h');
});
