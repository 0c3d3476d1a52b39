import { expect, it } from 'vitest';
import { setDayBudget } from './request-schemas.ts';

it('a day has no budget of agents [BUD-26]', () => {
  expect(setDayBudget.safeParse({ set: { agents: 5 } }).success).toBe(false);
  expect(setDayBudget.parse({ set: { microUsd: 5, timeMs: 6 } }).set).toEqual({ microUsd: 5, timeMs: 6 });
});
