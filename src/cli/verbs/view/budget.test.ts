import { expect, it } from 'vitest';
import type { BudgetView, ExhaustedView } from '../../../wire/budget-views.ts';
import { budgetWords, raiseCommand } from '../../text/budget-text.ts';
import { budgetLines } from './budget.ts';

const now = new Date(2026, 10, 16, 12, 1).getTime();
const ofRun = { of: 'run', taskId: null, task: null } as const;
const exhausted: ExhaustedView = {
  ...ofRun,
  askId: 'ask_1-r1',
  key: 'k',
  what: 'microUsd',
  limit: 5_000_000,
  spent: 5_100_000,
  since: now,
  words: 'the budget of the run is exhausted: $5.10 of $5.00',
};
const budgets: BudgetView[] = [
  {
    ...ofRun,
    limits: [
      { what: 'microUsd', limit: 5_000_000, spent: 5_100_000, reserved: 0 },
      { what: 'tokens', limit: 2_000_000, spent: 150_000, reserved: 50_000 },
    ],
    exhausted,
  },
  {
    of: 'tree',
    taskId: 'task_r',
    task: 'review',
    limits: [{ what: 'timeMs', limit: 7_200_000, spent: 61_000, reserved: 0 }],
    exhausted: null,
  },
];

it('budgets show what is spent, reserved and left, and the command that raises an exhausted one [BUD-16]', () => {
  expect(budgetLines(budgets, { runId: 'run_1', taskId: null, set: null, now })).toEqual([
    'WHOSE          WHAT     LIMIT   SPENT  RESERVED    LEFT',
    'run            cost     $5.00   $5.10     $0.00   $0.00',
    'run            tokens    2.0M    150k     50.0k    1.8M',
    'all of review  time    2h 00m  1m 01s        0s  1h 58m',
    'since 12:01:00: the budget of the run is exhausted: $5.10 of $5.00',
    '  raise it: signalbox budget run_1 --usd 10',
  ]);
  expect(budgetLines([], { runId: 'run_1', taskId: null, set: null, now })).toEqual([
    'The run has no budget. To set one: signalbox budget run_1 --usd 5',
  ]);
  expect(budgetLines([], { runId: 'run_1', taskId: 'task_1', set: null, now })).toEqual([
    'The task has no budget. To set one: signalbox budget run_1 task_1 --usd 5',
  ]);
});

it('a new budget below what is spent is reported at once [BUD-25]', () => {
  const [set = null] = budgets;
  expect(budgetLines(budgets, { runId: 'run_1', taskId: null, set, now })).toContain(
    'Already exhausted: $5.10 of $5.00. Agents under this budget pause until you raise it.',
  );
});

it('the command that raises a budget names its owner and a readable amount [BUD-16]', () => {
  const of = (more: Partial<ExhaustedView>) => raiseCommand('run_1', { ...exhausted, ...more });
  expect(of({ of: 'task', taskId: 'task_a', what: 'turns', limit: 3, spent: 3 })).toBe(
    'signalbox budget run_1 task_a --turns 6',
  );
  expect(of({ of: 'tree', taskId: 'task_a', what: 'timeMs', limit: 2_700_000, spent: 2_700_400 })).toBe(
    'signalbox budget run_1 task_a --tree --time 90m',
  );
  expect(of({ of: 'day', what: 'tokens', limit: 1_000_000, spent: 1_000_001 })).toBe(
    'signalbox budget --day --tokens 2M',
  );
  expect(of({ what: 'agents', limit: 4, spent: 4 })).toBe('signalbox budget run_1 --agents 8');
  expect(of({ limit: 50_000 })).toBe('signalbox budget run_1 --usd 6.4');
  expect(of({ what: 'unknown' })).toBe('signalbox budget run_1 --usd 5');
  expect(of({ limit: 1e12 })).toBe('signalbox budget run_1 --usd 1000000');
});

it('spent and limit are shown in a few characters [BUD-16]', () => {
  expect(budgetWords(budgets.flatMap(({ limits }) => limits))).toBe(
    '$5.10 of $5.00, 150k of 2.0M tokens, 1m 01s of 2h 00m',
  );
});
