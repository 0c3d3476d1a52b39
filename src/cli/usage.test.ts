import { expect, it } from 'vitest';
import type { SummedUsage, UsageReport } from '../wire/usage-views.ts';
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
  ...more,
});

it('usage is a table with a total; estimates, lower bounds and unknown costs are marked and explained [COST-6]', () => {
  const unknown = { costMicroUsd: null, costAtLeastMicroUsd: 0 };
  const lines = reportLines(
    report(
      [
        ['told', used({})],
        ['estimated\u001b[31m', used({ estimatedMicroUsd: 5 })],
        ['silent', used(unknown)],
      ],
      used({ costMicroUsd: null, costAtLeastMicroUsd: 2_400_000, estimatedMicroUsd: 5 }),
    ),
  );
  expect(lines).toEqual([
    'TASK       INPUT  OUTPUT  CACHE READ  CACHE WRITE  TURNS    TIME     COST',
    'told        1.2k      30           0            0      3  1m 01s    $1.20',
    'estimated   1.2k      30           0            0      3  1m 01s   ~$1.20',
    'silent      1.2k      30           0            0      3  1m 01s        ?',
    'total       1.2k      30           0            0      3  1m 01s  >~$2.40',
    '~ is an estimate from prices of the models: their agents told no cost.',
    '? is a cost that nobody told and > one that is at least so much.',
  ]);
});

it('time is left out where it belongs to no row, and what has no name is said so [COST-6]', () => {
  const timeless = used({ timeMs: null });
  expect(reportLines(report([[null, timeless]], timeless, { by: 'model', leftOut: 2 }))).toEqual([
    'MODEL          INPUT  OUTPUT  CACHE READ  CACHE WRITE  TURNS   COST',
    '(nobody said)   1.2k      30           0            0      3  $1.20',
    'total           1.2k      30           0            0      3  $1.20',
    '2 runs that ended earlier are left out: name one to see it.',
  ]);
  expect(reportLines(report([], timeless))).toEqual(['Nothing was used yet.']);
});

it('of very many rows the first hundred are shown, and how many more there are [COST-6]', () => {
  const rows = Array.from({ length: 130 }, (_, at): [string, SummedUsage] => [`t${at}`, used({})]);
  const lines = reportLines(report(rows, used({})));
  expect([lines.length, lines.at(-2)]).toEqual([103, '… and 30 more: --json']);
});
