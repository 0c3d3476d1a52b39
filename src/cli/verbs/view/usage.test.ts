import { expect, it } from 'vitest';
import type { SummedUsage, UsageReport } from '../../../wire/usage-views.ts';
import { reportLines } from './usage.ts';

const used = (more: Partial<SummedUsage>): SummedUsage => ({
  inputTokens: 1_200,
  outputTokens: 30,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  costMicroUsd: 1_200_000,
  costAtLeastMicroUsd: 1_200_000,
  estimatedMicroUsd: 0,
  turns: 3,
  timeMs: 61_000,
  ...more,
});
const report = (rows: [string | null, SummedUsage][], total: SummedUsage, more: object = {}): UsageReport => ({
  by: 'task',
  rows: rows.map(([name, usage]) => ({ key: name ?? '', name, usage })),
  total,
  leftOut: 0,
  unreadable: [],
  accounts: [],
  closed: [],
  ...more,
});

it('usage is a table with a total, in which estimates, lower bounds and unknown costs are marked [COST-6]', () => {
  const unknown = { costMicroUsd: null, costAtLeastMicroUsd: 0 };
  const lines = reportLines(
    report(
      [
        ['told', used({})],
        ['esti\u001b', used({ estimatedMicroUsd: 5 })],
        ['silent', used(unknown)],
      ],
      used({ costMicroUsd: null, costAtLeastMicroUsd: 2_400_000, estimatedMicroUsd: 5 }),
    ),
    0,
  );
  expect(lines).toEqual([
    'TASK          INPUT  OUTPUT  CACHE READ  CACHE WRITE  TURNS    TIME     COST',
    'told           1.2k      30           0            0      3  1m 01s    $1.20',
    'esti<U+001B>   1.2k      30           0            0      3  1m 01s   ~$1.20',
    'silent         1.2k      30           0            0      3  1m 01s        ?',
    'total          1.2k      30           0            0      3  1m 01s  >~$2.40',
    '~ is an estimate from model prices: the agent reported no cost.',
    '? is an unknown cost; > means at least this much.',
  ]);
});

it('time is left out where it belongs to no row, and rows without a name say so [COST-6]', () => {
  const timeless = used({ timeMs: null });
  expect(reportLines(report([[null, timeless]], timeless, { by: 'model', leftOut: 2 }), 0)).toEqual([
    'MODEL      INPUT  OUTPUT  CACHE READ  CACHE WRITE  TURNS   COST',
    '(unknown)   1.2k      30           0            0      3  $1.20',
    'total       1.2k      30           0            0      3  $1.20',
    '2 earlier runs are left out: name a run to see it, or use --by day to count all.',
  ]);
  expect(reportLines(report([], timeless), 0)).toEqual(['No usage yet.']);
});

it('of very many rows the first hundred are shown, with how many more there are [COST-6]', () => {
  const rows = Array.from({ length: 130 }, (_, at): [string, SummedUsage] => [`t${at}`, used({})]);
  const lines = reportLines(report(rows, used({})), 0);
  expect([lines.length, lines.at(-2)]).toEqual([103, '… and 30 more: --json']);
});

it('what accounts have left is shown where it is known, and which are paused [COST-8]', () => {
  const now = new Date(2026, 10, 16, 12).getTime();
  const told = { account: 'claude', of: 'five_hour', used: 0.634, resetsAt: now + 3_600_000, toldAt: now - 60_000 };
  const lines = reportLines(
    report([], used({}), {
      accounts: [
        told,
        { ...told, of: 'seven_day', used: null, resetsAt: null },
        { ...told, account: 'scripted', of: 'account', used: 1, resetsAt: null },
      ],
      closed: [{ name: 'claude:claude-haiku-4-5', limit: 'quota', until: now + 60_000 }],
    }),
    now,
  );
  expect(lines).toEqual([
    'No usage yet.',
    'account claude: five_hour 63% used, resets at 13:00:00 (reported 1m 00s ago)',
    'account claude: seven_day usage unknown (reported 1m 00s ago)',
    'account scripted: 100% used (reported 1m 00s ago)',
    'account claude:claude-haiku-4-5: quota exhausted; next try at 12:01:00',
  ]);
});
