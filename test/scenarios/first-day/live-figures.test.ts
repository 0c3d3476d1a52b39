// What an agent uses and does is seen while its turn goes on, and every verb shows the same figures.

import { afterEach, beforeEach, expect, it } from 'vitest';
import type { RunView } from '../../../src/wire/views.ts';
import { until } from '../../until.ts';
import type { World } from '../daemon/daemon-world.ts';
import { shareDaemon } from '../world/shared-world.ts';

const openWorld = shareDaemon();
let world: World;

beforeEach(() => {
  world = openWorld();
});
afterEach(() => world.close());

interface Used {
  readonly inputTokens: number;
  readonly costMicroUsd: number | null;
}

async function json<T>(...args: string[]): Promise<T> {
  const { code, stdout, stderr } = await world.sb([...args, '--json']);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout) as T;
}

it('tokens, cost and the command that runs are shown within a turn, the same by ps, usage and budget [PRG-2, COST-11]', async () => {
  const command = `until test -e ${world.path('go')}; do sleep 0.05; done`;
  const script = world.script([
    { usage: { input_tokens: 1_500, output_tokens: 500, cost_usd: 0.25 } },
    { tool: { name: 'Read', input: { file_path: 'README.md' } } },
    { usage: { input_tokens: 2_000, output_tokens: 100, cost_usd: 0.5 } },
    { run: command },
    { say: 'done' },
  ]);
  const started = await json<RunView>('run', 'live', '--max-usd', '5', '--script', script, '-d');
  const shown = async (): Promise<RunView> => (await json<{ runs: RunView[] }>('ps', started.id)).runs[0] as RunView;
  await until(async () => (await shown()).usage.costMicroUsd === 750_000, { what: 'the cost of the open turn' });

  const run = await shown();
  const want = { inputTokens: 3_500, costMicroUsd: 750_000, turns: 2 };
  expect([run.usage, run.tasks[0]?.usage]).toMatchObject([want, want]);
  expect(run.tasks[0]?.progress).toMatchObject({ doing: command, callsOpen: 1, toolCalls: 2 });
  for (const by of ['run', 'task', 'role', 'model']) {
    const { total } = await json<{ total: Used }>('usage', started.id, '--by', by);
    expect(total, by).toMatchObject(want);
  }
  const { rows } = await json<{ rows: { usage: Used }[] }>('usage', '--by', 'day');
  expect(rows.at(-1)?.usage.inputTokens).toBeGreaterThanOrEqual(3_500);
  const { budgets } = await json<{ budgets: { limits: { spent: number }[] }[] }>('budget', started.id);
  expect(budgets[0]?.limits[0]?.spent).toBe(750_000);
  expect((await world.sb(['ps', started.id])).stdout).toMatch(/live +running: until test -e /);

  world.touch('go');
  await until(async () => (await shown()).state === 'ended', { what: 'its end' });
  expect((await shown()).usage).toMatchObject({ inputTokens: 3_500, costMicroUsd: 750_000 });
});

it('a command is shown with paths relative to the workspace, in one line in which control characters are visible [PRG-2]', async () => {
  const script = world.script([
    {
      run: `cd "$PWD" && printf '\\033[2J' ; : 'x\u001b[31m'\n until test -e ${world.path('go')}; do sleep 0.05; done`,
    },
  ]);
  const started = await json<RunView>('run', 'odd', '--script', script, '-d');
  const doing = async (): Promise<string | null> =>
    (await json<{ runs: RunView[] }>('ps', started.id)).runs[0]?.tasks[0]?.progress?.doing ?? null;
  await until(async () => (await doing()) !== null, { what: 'the command' });
  expect(await doing()).toMatch(/: 'x<U\+001B>\[31m' ⏎ until test -e /);
  world.touch('go');
  await until(async () => (await json<{ runs: RunView[] }>('ps', started.id)).runs[0]?.state === 'ended', {
    what: 'its end',
  });
});
