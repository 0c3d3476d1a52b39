// `signalbox usage` on the whole program: the usage that agents report appears in rows that add up.

import { afterEach, beforeEach, expect, it } from 'vitest';
import type { UsageReport } from '../../../src/wire/usage-views.ts';
import { openWorld, type World } from '../daemon/daemon-world.ts';

let world: World;

beforeEach(() => {
  world = openWorld();
});
afterEach(() => world.close());

async function usage(...args: string[]): Promise<UsageReport> {
  const { code, stdout, stderr } = await world.sb(['usage', ...args, '--json']);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout) as UsageReport;
}

it('reported usage is counted by task, run, model and day, and an unknown cost stays unknown [COST-5, COST-6, COST-7, COST-10]', async () => {
  const told = world.script([{ usage: { input_tokens: 1200, output_tokens: 80, cost_usd: 0.01 } }, { say: 'done' }]);
  const silent = world.script([{ usage: { input_tokens: 7, cost_usd: null } }, { say: 'done' }]);
  const plain = ['--name', 'first', '--script', told];
  expect((await world.sb(['run', 'x', ...plain])).code).toBe(0);
  expect((await world.sb(['run', 'x', 'y', '--name', 'second', '--script', told, '--script', silent])).code).toBe(0);

  const all = await usage();
  expect(all.rows.map(({ name, usage: { costMicroUsd } }) => [name, costMicroUsd])).toEqual([
    ['first', 10_000],
    ['second', null],
  ]);
  const [runs, tasks, models] = [all, await usage('--by', 'task'), await usage('--by', 'model')];
  const days = await usage('--by', 'day');
  for (const { total } of [runs, tasks, models, days]) {
    expect(total).toMatchObject({
      inputTokens: 2_407,
      outputTokens: 163,
      costMicroUsd: null,
      costAtLeastMicroUsd: 20_000,
    });
  }
  expect(tasks.total.timeMs).toBe(runs.total.timeMs);
  expect(tasks.rows).toHaveLength(3);

  const { stdout } = await world.sb(['usage', 'second']);
  expect(stdout).toMatch(/^TASK +INPUT +OUTPUT +CACHE READ +CACHE WRITE +TURNS +TIME +COST$/m);
  expect(stdout).toMatch(/^total +1\.2k +82 .* >\$0\.01$/m);
  const wrong = await world.sb(['usage', 'secnod']);
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('did you mean second')]);
});
