// S11: money. Twenty agents at ten cents a request on five dollars: nothing is requested that the budget does not pay for,
// but for one request of each agent at most; with more money the same sessions go on, and every cent has its owner.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RunEvent } from '../../../src/wire/event-names.ts';
import type { UsageReport } from '../../../src/wire/usage-views.ts';
import { sized } from '../../size.ts';
import { until } from '../../until.ts';
import type { World } from '../daemon/daemon-world.ts';
import { recordOf, runEnd, runOf, submit, taskNamed } from '../spending/limits-world.ts';
import { shareDaemon } from '../world/shared-world.ts';

const openWorld = shareDaemon({ SIGNALBOX_SLOTS: '10' });
let world: World;

beforeEach(async () => {
  world = openWorld();
  await world.up();
});

afterEach(() => world.close());

const timeoutMs = 120_000;
const agents = sized(10, 20);
/** Ten cents, and the tool round after it. */
const message = [{ usage: { output_tokens: 100, cost_usd: 0.1 } }, { tool: { name: 'Read' } }];
const done = { write: { path: 'done', text: 'yes' } };
const script = (messages: number) => ({
  settings: { script: JSON.stringify([...Array.from({ length: messages }, () => message).flat(), done]) },
});
const cents = (microUsd: number) => Math.round(microUsd / 1e4);

const isAtRest = async (id: string) => {
  const { tasks } = await runOf(world, id);
  const waiting = tasks.filter(({ outcome }) => outcome === null);
  return waiting.length > 0 && world.agents().length === 0 && waiting.every(({ wait }) => wait?.kind === 'budget');
};

async function raise(id: string, budget: string): Promise<void> {
  const { code, stderr } = await world.sb(['budget', id, '--usd', budget]);
  expect(code, stderr).toBe(0);
}

async function usageOf(id: string, by: string): Promise<UsageReport> {
  return JSON.parse((await world.sb(['usage', id, '--by', by, '--json'])).stdout) as UsageReport;
}

function spentOf(record: readonly RunEvent[]): number {
  return record.reduce(
    (sum, event) => sum + (event.type === 'usage.recorded' ? (event.usage.costMicroUsd ?? 0) : 0),
    0,
  );
}

describe('S11: a budget of money for many agents', () => {
  it('is exceeded by one request of each agent at most; raising it resumes the same sessions [BUD-2, BUD-21] [BUD-3] [BUD-5]', async () => {
    const limit = agents * 25;
    const names = Array.from({ length: agents }, (_, i) => `t${i}`);
    const tasks = names.map((name) => ({ name, prompt: name, ...script(4) }));
    const { id } = await submit(world, tasks, 'money', { microUsd: limit * 1e4 });
    await until(() => isAtRest(id), { timeoutMs, what: 'all to wait for money' });
    const first = await recordOf(world, id);
    expect(cents(spentOf(first))).toBeGreaterThanOrEqual(limit);
    expect(cents(spentOf(first))).toBeLessThanOrEqual(limit + agents * 10);
    expect(first.filter(({ type }) => type === 'ask.opened')).toHaveLength(1);
    const inbox = await world.sb(['inbox']);
    expect(inbox.code).toBe(3);
    expect(inbox.stdout).toContain(`signalbox budget ${id}`);

    await world.killDaemon();
    await raise(id, String((agents * 45) / 100));
    const run = await runEnd(world, id, timeoutMs);
    expect(run.outcome).toBe('succeeded');
    const record = await recordOf(world, id);
    const attempts = record.filter(({ type }) => type === 'attempt.started');
    expect(attempts).toHaveLength(agents);
    const parked = record.filter(({ type }) => type === 'attempt.parked');
    const resumed = record.filter((event) => event.type === 'launch.intended' && event.resume);
    expect(parked.length).toBeGreaterThan(0);
    expect(resumed.length).toBeGreaterThan(0);
    expect(cents(spentOf(record))).toBe(agents * 40);
    for (const by of ['task', 'model'] as const) {
      const { rows, total } = await usageOf(id, by);
      expect(rows.reduce((sum, { usage }) => sum + (usage.costMicroUsd ?? 0), 0)).toBe(total.costMicroUsd);
      expect(total.costMicroUsd).toBe(agents * 40 * 1e4);
    }
  });

  it('that is exhausted lets nothing start, says so, and ends with its own exit code without a terminal [BUD-2] [BUD-4]', async () => {
    const file = world.script([{ usage: { cost_usd: 0.5 } }, { tool: { name: 'Read' } }, done]);
    const { code, stderr, stdout } = await world.sb(['run', 'spend', '--script', file, '--max-usd', '0.4']);
    expect(code, stderr).toBe(4);
    expect(stdout + stderr).toMatch(/signalbox budget \S+ --usd/);
  });

  it('counts what a killed process had used by its own transcript, once [BUD-10]', async () => {
    const spent = { usage: { output_tokens: 5, cost_usd: 0.2 } };
    const steps = [spent, { tool: { name: 'Read' } }, { run: 'kill -9 $PPID', once: true }, done];
    const { id } = await submit(
      world,
      [{ name: 'a', prompt: 'a', settings: { script: JSON.stringify(steps) }, sandbox: 'none', attemptsMax: 2 }],
      'killed',
      { microUsd: 9_000_000 },
    );
    await runEnd(world, id, timeoutMs);
    const record = await recordOf(world, id);
    const recorded = record.flatMap((event) => (event.type === 'usage.recorded' ? [event.usage.costMicroUsd] : []));
    expect(recorded.filter((cost) => cost !== 0)[0]).toBe(200_000);
    const { usage } = taskNamed(await runOf(world, id), 'a');
    expect(usage.costMicroUsd).toBe(spentOf(record));
  });
});
