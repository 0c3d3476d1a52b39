import { expect, it } from 'vitest';
import type { WorstCase, WorstSpending } from '../../plan/preview/worst-case.ts';
import { worstCaseLines } from './worst-case-text.ts';

const nothing: WorstSpending = { tasks: { known: 0, perItem: [] }, unlimited: [], run: null, atMost: 0 };
const none: WorstCase['by'] = { tokens: nothing, microUsd: nothing, turns: nothing, timeMs: nothing };
const dollars = (n: number): number => n * 1_000_000;

function lines(money: Partial<WorstSpending>, attempts: Partial<WorstCase['attempts']> = {}, more = {}): string[] {
  const by = { ...none, microUsd: { ...nothing, ...money }, ...more };
  return worstCaseLines({ attempts: { known: 126, perItem: [], ...attempts }, by });
}

it("shows the figure, its bound, and the sum of the tasks' budgets [PLAN-23]", () => {
  const tasks = { known: dollars(42), perItem: [] };
  expect(lines({ tasks, run: dollars(5), atMost: dollars(5) })).toEqual([
    "worst case: at most $5.00 (the run's budget); tasks alone could use $42.00 in 126 attempts",
  ]);
  expect(lines({ tasks, run: dollars(50), atMost: dollars(42) }, { known: 1 })).toEqual([
    'worst case: at most $42.00 in 1 attempt',
  ]);
});

it('shows factors known only in the run, and tasks without a limit [PLAN-23]', () => {
  const over = 'tasks.find.output.bugs';
  const tasks = { known: dollars(2), perItem: [{ task: 'fix', each: dollars(1), over }] };
  const attempts = { known: 4, perItem: [{ task: 'fix', each: 2, over }] };
  const asked = `tasks alone could use $2.00 and $1.00 times the items of ${over} in 4 attempts and 2 attempts times the items of ${over}`;
  expect(lines({ tasks, atMost: null }, attempts)).toEqual([`worst case: no limit on money; ${asked}`]);
  expect(lines({ tasks, run: dollars(5), atMost: dollars(5), unlimited: ['a', 'b'] }, attempts)).toEqual([
    `worst case: at most $5.00 (the run's budget); ${asked}; tasks without a budget: a, b`,
  ]);
  expect(lines({ unlimited: ['a', 'b', 'c', 'd', 'e', 'f', 'g'], atMost: null })).toEqual([
    'worst case: no limit on money; tasks without a budget: a, b, c, d, e and 2 more',
  ]);
});

it('shows other amounts if they are limited [PLAN-23]', () => {
  const tokens: WorstSpending = { ...nothing, unlimited: ['a'], run: 2_000_000, atMost: 2_000_000 };
  const timeMs: WorstSpending = { ...nothing, tasks: { known: 7_200_000, perItem: [] }, atMost: 7_200_000 };
  expect(lines({}, {}, { tokens, timeMs })).toEqual([
    'worst case: no money is spent',
    "            at most 2.0M tokens (the run's budget); tasks without a budget: a",
    '            at most 2h 00m of work',
  ]);
});
