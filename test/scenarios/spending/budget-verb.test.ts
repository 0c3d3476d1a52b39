// `signalbox budget` on the whole program: budgets of a run, a task and the day, shown and set while agents work.

import { request } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { BudgetView } from '../../../src/wire/budget-views.ts';
import type { World } from '../daemon/daemon-world.ts';
import { shareDaemon } from '../world/shared-world.ts';

const openWorld = shareDaemon();
let world: World;

beforeEach(() => {
  world = openWorld();
});
afterEach(() => world.close());

async function budgets(...args: string[]): Promise<BudgetView[]> {
  const { code, stdout, stderr } = await world.sb(['budget', ...args, '--json']);
  expect(code, stderr).toBe(0);
  return (JSON.parse(stdout) as { budgets: BudgetView[] }).budgets;
}

const limitsOf = (all: readonly BudgetView[]) =>
  all.map(({ of, task, limits }) => [of, task, limits.map(({ what, limit }) => [what, limit])]);

it('a budget is set limit by limit, shown, and cleared, of a run and of a task [BUD-17]', async () => {
  const script = world.script([{ waitFor: world.path('go') }]);
  expect((await world.sb(['run', 'x', 'y', '--name', 'two', '--detach', '--script', script])).code).toBe(0);
  expect((await world.sb(['budget', 'two'])).stdout).toMatch(
    /^The run has no budget\. To set one: signalbox budget run_/,
  );
  await budgets('two', '--usd', '$5', '--tokens', '2M');
  const [first] = (await world.list())[0]?.tasks ?? [];
  await budgets('two', first?.name ?? '', '--turns', '100', '--time', '1.5h', '--agents', '3');
  const all = await budgets('two', '--clear', 'tokens', '--usd', '0.50');
  expect(limitsOf(all)).toEqual([
    ['run', null, [['microUsd', 500_000]]],
    [
      'task',
      first?.name,
      [
        ['turns', 100],
        ['timeMs', 5_400_000],
        ['agents', 3],
      ],
    ],
  ]);
  expect((await world.list())[0]?.budget).toEqual([{ what: 'microUsd', limit: 500_000, spent: 0, reserved: 0 }]);
  expect(await budgets('two', first?.id ?? '', '--clear', 'turns', 'time', 'agents')).toEqual([]);
  expect((await world.sb(['budget', 'two'])).stdout).toMatch(/^run +cost +\$0\.50 +\$0\.00 +\$0\.00 +\$0\.50$/m);
  world.touch('go');
  await world.ended();
  const late = await world.sb(['budget', 'two', '--usd', '9']);
  expect([late.code, late.stderr]).toEqual([1, expect.stringContaining('the run has ended')]);
});

it('limits that several people set concurrently are all kept [BUD-17]', async () => {
  const script = world.script([{ waitFor: world.path('go') }]);
  expect((await world.sb(['run', 'x', '--name', 'one', '--detach', '--script', script])).code).toBe(0);
  const [run] = await world.list();
  const client = createClient(join(world.home, 'daemon.sock'));
  const sets = [{ microUsd: 5 }, { tokens: 6 }, { turns: 7 }, { timeMs: 8_000 }, { agents: 9 }];
  await Promise.all(sets.map((set) => client(`/runs/${run?.id}/budgets`, { set })));
  const [[, , limits] = []] = limitsOf(await budgets('one'));
  expect(Object.fromEntries((limits ?? []) as [string, number][])).toEqual(Object.assign({}, ...sets));
  world.touch('go');
  await world.ended();
});

it('an invalid limit is refused with the reason [BUD-26]', async () => {
  const script = world.script([{ waitFor: world.path('go') }]);
  expect((await world.sb(['run', 'x', '--name', 'one', '--detach', '--script', script])).code).toBe(0);
  const refusals: [string[], string][] = [
    [['one', '--usd', '-5'], '"-5" is below zero'],
    [['one', '--usd', '0'], '"0" is nothing'],
    [['one', '--usd', '2000000'], '"2000000" is absurd'],
    [['one', '--tokens', '1.5'], 'there are only whole tokens'],
    [['one', '--time', '30'], '"30" has no unit'],
    [['one', '--clear', 'money'], 'usd, tokens, turns, time, agents'],
    [['one', '--tree', '--usd', '1'], '--tree needs a task'],
    [['one', 'nobody', '--usd', '1'], 'this run has no task "nobody"'],
    [['--usd', '1'], 'name a run, or use --day'],
    [['one', '--day', '--usd', '1'], 'leave the run out'],
    [['--day', '--agents', '2'], 'a day has no budget for agents'],
  ];
  for (const [args, why] of refusals) {
    const { code, stderr } = await world.sb(['budget', ...args]);
    expect([args, code, stderr]).toEqual([args, 2, expect.stringContaining(why)]);
  }
  const { tasks = [] } = (await world.list())[0] ?? {};
  const tree = await world.sb(['budget', 'one', tasks[0]?.name ?? '', '--tree', '--usd', '1']);
  expect([tree.code, tree.stderr]).toEqual([1, expect.stringContaining('has no tasks below it')]);
  world.touch('go');
  await world.ended();
});

it("if a run has the name of its only task, the budget is the run's [BUD-17]", async () => {
  const script = world.script([{ waitFor: world.path('go') }]);
  expect((await world.sb(['run', 'alone', '--max-usd', '5', '--detach', '--script', script])).code).toBe(0);
  expect(limitsOf(await budgets('alone'))).toEqual([['run', null, [['microUsd', 5_000_000]]]]);
  const both = limitsOf(await budgets('alone', 'alone', '--usd', '1'));
  expect(both).toEqual([['task', 'alone', [['microUsd', 1_000_000]]]]);
  world.touch('go');
  await world.ended();
});

it('the day has a budget of its own, over all runs, which survives the daemon [BUD-17]', async () => {
  expect((await world.sb(['budget', '--day'])).stdout).toBe(
    'The day has no budget. To set one: signalbox budget --day --usd 5\n',
  );
  const script = world.script([{ usage: { input_tokens: 5, cost_usd: 0.25 } }]);
  expect((await world.sb(['run', 'x', '--script', script])).code).toBe(0);
  await budgets('--day', '--usd', '20');
  await world.killDaemon();
  expect(await budgets('--day')).toMatchObject([
    { of: 'day', limits: [{ what: 'microUsd', limit: 20_000_000, spent: 250_000 }], exhausted: null },
  ]);
  const { stdout } = await world.sb(['budget', '--day', '--usd', '0.10']);
  expect(stdout).toContain('Already exhausted: $0.25 of $0.10.');
  expect(stdout).toContain('  raise it: signalbox budget --day --usd 0.4');
  expect(await budgets('--day', '--clear', 'usd')).toMatchObject([{ limits: [], exhausted: null }]);
});

/** Asks the daemon itself: programs that start one after the other would not meet. */
function createClient(socketPath: string): (path: string, body: object) => Promise<void> {
  return (path, body) =>
    new Promise((resolve, reject) => {
      const asked = request({ socketPath, path, method: 'POST' }, (response) => {
        response.resume().once('end', () => (response.statusCode === 200 ? resolve() : reject(new Error(path))));
      });
      asked.once('error', reject).end(JSON.stringify(body));
    });
}
