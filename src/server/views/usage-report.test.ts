// Rows of usage add up to their total, however they are grouped, and to the totals of the runs.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { launch, launched, type Story, submitted, task } from '../../../test/model/story.ts';
import type { Ledger } from '../../engine/state-cache.ts';
import type { RunId } from '../../model/core/ids.ts';
import type { Run } from '../../model/core/run.ts';
import { emptyHost, evolveHost, type Host } from '../../model/host/host.ts';
import { noUsage, type Usage } from '../../model/spending/usage.ts';
import type { SummedUsage, UsageKind } from '../../wire/usage-views.ts';
import { endedMax, reportUsage, usageKindOf } from './usage-report.ts';

const names = ['a', 'b', 'c'];
const roles = ['judge', null, 'judge'];

const usages = fc.array(
  fc.record({
    name: fc.constantFrom(...names),
    model: fc.constantFrom('claude-opus-5', 'o3', null),
    usage: fc.record({
      inputTokens: fc.nat(1e9),
      outputTokens: fc.nat(1e9),
      cacheReadTokens: fc.nat(1e9),
      cacheWriteTokens: fc.nat(1e9),
      costMicroUsd: fc.option(fc.nat(1e9), { freq: 10 }),
      turns: fc.nat(100),
    }),
  }),
  { maxLength: 30 },
);

function storyOf(told: readonly { name: string; model: string | null; usage: Usage }[]): Story {
  const story = submitted(...names.map((name, at) => task(name, { role: roles[at] ?? null })));
  for (const name of names) launched(story, name);
  const offsets = new Map<string, number>();
  for (const { name, model, usage } of told) {
    const from = offsets.get(name) ?? 0;
    offsets.set(name, from + 10);
    const facts = [{ kind: 'usage', model, usage } as const];
    const read = { from, to: from + 10, codec: '{}', replies: [], facts };
    story.now += 7;
    story.tell({ type: 'output', launchId: launch(name), ...read });
  }
  return story;
}

function sourceOf(
  runs: ReadonlyMap<string, Run>,
  open: ReadonlySet<string> = new Set(runs.keys()),
  host: Host = emptyHost(),
) {
  const heads = Array.from(runs.keys(), (stream) => ({ stream, seq: 1, hash: '', open: open.has(stream) }));
  return {
    journal: { heads: async () => heads },
    engine: {
      look: async <T>(read: (ledger: Ledger) => T) => read({ hostName: 'h', host, runs: new Map() }),
      progress: () => null,
      lookRun: async <T>(id: RunId, read: (run: Run | null, ledger: never) => T) =>
        read(runs.get(id) ?? null, undefined as never),
    },
  };
}

const counts = ['inputTokens', 'outputTokens', 'cacheReadTokens', 'cacheWriteTokens', 'turns'] as const;
const costs = ['costAtLeastMicroUsd', 'estimatedMicroUsd'] as const;
const sum = (rows: readonly SummedUsage[], of: (usage: SummedUsage) => number) =>
  rows.reduce((all, each) => all + of(each), 0);

it("rows add up to their total and to the runs' usage, whatever they are grouped by [COST-10]", async () => {
  const kinds = fc.constantFrom<UsageKind>('run', 'task', 'role', 'model');
  await fc.assert(
    fc.asyncProperty(kinds, usages, usages, async (by, first, second) => {
      const runs = new Map([
        ['run_1', storyOf(first).run],
        ['run_2', storyOf(second).run],
      ]);
      const { rows, total } = await reportUsage(sourceOf(runs), { runId: null, by }, 0);
      const used = rows.map(({ usage }) => usage);
      for (const of of [...counts, ...costs]) expect(sum(used, (usage) => usage[of])).toBe(total[of]);
      const own = [...runs.values()].map(({ spending: { usage } }) => usage);
      for (const of of counts) expect(own.reduce((all, usage) => all + usage[of], 0)).toBe(total[of]);
      expect(own.reduce((all, usage) => all + usage.costMicroUsd, 0)).toBe(total.costAtLeastMicroUsd);
      if (by !== 'model') expect(sum(used, ({ timeMs }) => timeMs ?? Number.NaN)).toBe(total.timeMs);
      // Unknown is not zero: a total with an unknown part is unknown.
      expect(total.costMicroUsd === null).toBe(used.some(({ costMicroUsd }) => costMicroUsd === null));
    }),
    { numRuns: 50 },
  );
});

it('one run has one row for each task, role or model that was used [COST-5]', async () => {
  const usage: Usage = { ...noUsage(), inputTokens: 5, costMicroUsd: 3, turns: 1 };
  const { run } = storyOf([
    { name: 'a', model: 'o3', usage },
    { name: 'b', model: null, usage: { ...usage, costMicroUsd: null } },
    { name: 'c', model: 'o3', usage: { ...usage, costMicroUsd: 9, estimated: true } },
  ]);
  const rowsBy = async (by: UsageKind) => {
    const { rows } = await reportUsage(sourceOf(new Map([['run_1', run]])), { runId: 'run_1', by }, 0);
    return rows.map(({ name, usage: { costMicroUsd, estimatedMicroUsd } }) => [name, costMicroUsd, estimatedMicroUsd]);
  };
  expect(await rowsBy('task')).toEqual([
    ['c', 9, 9],
    ['a', 3, 0],
    ['b', null, 0],
  ]);
  expect(await rowsBy('role')).toEqual([
    ['judge', 12, 9],
    [null, null, 0],
  ]);
  expect(await rowsBy('model')).toEqual([
    ['o3', 12, 9],
    [null, null, 0],
  ]);
  expect(await rowsBy('run')).toEqual([['a run', null, 9]]);
});

it('all open runs and the newest ended ones count, and how many are left out is shown [COST-5]', async () => {
  const { run } = storyOf([]);
  const ids = Array.from({ length: endedMax + 9 }, (_, at) => `run_${String(at).padStart(3, '0')}`);
  const source = sourceOf(new Map(ids.map((id) => [id, run])), new Set(['run_000', 'run_001']));
  let looked = 0;
  const lookRun: typeof source.engine.lookRun = (id, read) => {
    looked += 1;
    return source.engine.lookRun(id, read);
  };
  expect(
    await reportUsage({ ...source, engine: { ...source.engine, lookRun } }, { runId: null, by: 'run' }, 0),
  ).toMatchObject({ leftOut: 7 });
  expect(looked).toBe(endedMax + 2);
});

it('grouping is checked; for one run the default is by task [COST-5]', () => {
  expect([usageKindOf(null, null), usageKindOf(null, 'run_1'), usageKindOf('role', null)]).toEqual([
    'run',
    'task',
    'role',
  ]);
  expect(() => usageKindOf('week', null)).toThrow('unknown --by "week": expected one of run, task, role, model, day');
});

it('days are shown as the host booked them, over all runs, with the time of processes that ended on them [COST-7]', async () => {
  const host = emptyHost();
  const spend = (day: string, model: string | null, costMicroUsd: number | null) =>
    evolveHost(host, {
      at: 1,
      type: 'day.spent',
      day,
      parts: [{ model, usage: { ...noUsage(), inputTokens: 5, costMicroUsd, turns: 1 } }],
    });
  spend('2026-11-16', 'o3', 4);
  spend('2026-11-15', 'o3', 3);
  spend('2026-11-16', null, null);
  evolveHost(host, { at: 1, type: 'day.ran', day: '2026-11-16', ms: 70 });
  evolveHost(host, { at: 1, type: 'day.ran', day: '2026-11-15', ms: 8 });
  const source = sourceOf(new Map(), new Set(), host);
  const { rows, total } = await reportUsage(source, { runId: null, by: 'day' }, 0);
  expect(rows.map(({ name, usage }) => [name, usage.costMicroUsd, usage.costAtLeastMicroUsd])).toEqual([
    ['2026-11-15', 3, 3],
    ['2026-11-16', null, 4],
  ]);
  expect(total).toMatchObject({ inputTokens: 15, turns: 3, costMicroUsd: null, costAtLeastMicroUsd: 7, timeMs: 78 });
  await expect(reportUsage(source, { runId: 'run_1', by: 'day' }, 0)).rejects.toThrow('is not kept by day');
});

it("an account's remaining quota from before its reset is not shown [COST-8]", async () => {
  const host = emptyHost();
  const told = { at: 10, type: 'account.quotaReported', account: 'claude', used: 0.5 } as const;
  evolveHost(host, { ...told, of: 'five_hour', resetsAtMs: 100 });
  evolveHost(host, { ...told, of: 'seven_day', resetsAtMs: 900 });
  const line = { limit: 'quota', since: 10, strikes: 1, probe: null, cap: null, goal: 1 } as const;
  evolveHost(host, { at: 10, type: 'line.set', name: 'claude', line: { ...line, until: 900 } });
  evolveHost(host, { at: 10, type: 'line.set', name: 'codex', line: { ...line, until: 90 } });
  const source = sourceOf(new Map(), new Set(), host);
  const { accounts, closed } = await reportUsage(source, { runId: null, by: 'run' }, 200);
  expect(accounts).toEqual([{ account: 'claude', of: 'seven_day', used: 0.5, resetsAt: 900, toldAt: 10 }]);
  expect(closed).toEqual([{ name: 'claude', limit: 'quota', until: 900 }]);
});
