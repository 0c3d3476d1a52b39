// S2: five workers with a budget each. One burns more than its own: it alone stops, after the request that exceeded it; the
// books of all add up to those of the run.

import { afterEach, beforeEach, expect, it } from 'vitest';
import type { UsageReport } from '../../../src/wire/usage-views.ts';
import { until } from '../../until.ts';
import { openWorld, type World } from '../daemon/daemon-world.ts';
import { recordOf, runEnd, runOf, submit, taskNamed } from '../spending/limits-world.ts';
import { waitsFor } from '../world/wait-words.ts';

let world: World;

beforeEach(async () => {
  world = openWorld({ SIGNALBOX_SLOTS: '5' });
  await world.up();
});

afterEach(() => world.close());

const timeoutMs = 90_000;
const tokens = 50_000;
/** A request and the tool round after it. */
const request = [{ usage: { input_tokens: tokens - 1_000, output_tokens: 1_000 } }, { tool: { name: 'Read' } }];
const requests = (count: number) => Array.from({ length: count }, () => request).flat();
const done = { write: { path: 'done', text: 'yes' } };

it('S2: of five workers the one that uses 250K of its 200K stops, the others finish [BUD-2] [BUD-7] [BUD-13]', async () => {
  const names = ['w1', 'w2', 'w3', 'w4', 'w5'];
  const { id } = await submit(
    world,
    names.map((name) => ({
      name,
      prompt: name,
      budget: { tokens: 200_000 },
      settings: { script: JSON.stringify([...requests(name === 'w3' ? 5 : 3), done]) },
    })),
  );
  const others = names.filter((name) => name !== 'w3');
  const task = async (name: string) => taskNamed(await runOf(world, id), name);
  for (const name of others) {
    await until(async () => (await task(name)).outcome?.kind === 'succeeded', { timeoutMs, what: `${name} to finish` });
  }
  const words = 'budget: the budget of "w3" is exhausted: 200,000 of 200,000 tokens';
  await until(async () => waitsFor(await task('w3')) === words, { timeoutMs, what: 'w3 to be parked' });
  await until(() => world.agents().length === 0, { timeoutMs, what: 'no process to be left' });
  const told = (await recordOf(world, id)).filter(({ type }) => type === 'ask.opened');
  expect(told).toHaveLength(1);

  await world.sb(['budget', id, 'w3', '--tokens', '300k']);
  const run = await runEnd(world, id, timeoutMs);
  expect(run.outcome).toBe('succeeded');
  expect(run.tasks.map(({ attempts }) => attempts)).toEqual([1, 1, 1, 1, 1]);
  const launches = (await recordOf(world, id)).flatMap((event) => (event.type === 'launch.intended' ? [event] : []));
  expect(launches.filter(({ resume }) => resume)).toHaveLength(1);
  expect(launches).toHaveLength(6);

  const { stdout } = await world.sb(['usage', id, '--by', 'task', '--json']);
  const { rows, total } = JSON.parse(stdout) as UsageReport;
  const used = rows.map(({ name, usage }) => [name ?? '', usage.inputTokens + usage.outputTokens] as const);
  const expected = names.map((name) => [name, (name === 'w3' ? 5 : 3) * tokens] as const);
  expect(new Map(used)).toEqual(new Map(expected));
  expect(total.inputTokens + total.outputTokens).toBe(17 * tokens);
  expect(run.usage.inputTokens).toBe(total.inputTokens);
});
