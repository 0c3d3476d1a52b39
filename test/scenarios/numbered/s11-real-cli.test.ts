// S11 on the real CLI: four agents on a budget for less than half of their work. The scripted model reports the usage of each
// answer, and which agent asked when: nothing that the budget does not pay for, but for one request of each agent at most. With
// more budget the same sessions continue, and every unit has its owner.

import { expect, it } from 'vitest';
import type { RunEvent } from '../../../src/wire/event-names.ts';
import type { UsageReport, UsageView } from '../../../src/wire/usage-views.ts';
import type { RunView } from '../../../src/wire/views.ts';
import type { ModelRequest } from '../../model-server/model-server.ts';
import { until } from '../../until.ts';
import { type Ground, model, onNewestCli } from '../spending/limits-real-cli.ts';
import { detached, recordOf, runEnd, runOf } from '../spending/limits-world.ts';

const timeoutMs = 90_000;
const settings = { SIGNALBOX_SLOTS: '3' };
const agents = 4;
const rounds = ['a', 'b', 'c'];
/** All tool rounds of all agents, and an answer after them. */
const requestsInAll = agents * (rounds.length + 1);
/** Ten cents by the list prices of the model; 33,000 tokens, as what a cache gave again is not counted. */
const use = {
  input_tokens: 10_000,
  output_tokens: 15_000,
  cache_creation_input_tokens: 8_000,
  cache_read_input_tokens: 50_000,
};
const microUsdEach = 100_000;
/** What the budget pays for. */
const requestsPaid = 7;

onNewestCli('S11: a budget for many real agents', (begin) => {
  it('real CLI: a budget of money is exceeded by one request of each at most; raising it resumes the same sessions [BUD-2] [BUD-3] [BUD-5] [BUD-13]', async (context) => {
    const ground = begin(context, settings);
    const prompts = promptsOf(ground);
    const { id } = await detached(ground.world, [...prompts, ...options, '--max-usd', '0.70']);
    await until(() => isAtRest(ground, id), { timeoutMs, what: 'all to wait for money' });
    await expectBrake(ground, id);
    const { costMicroUsd } = (await runOf(ground.world, id)).usage;
    expect(costMicroUsd).toBe(ground.asked().length * microUsdEach);

    await order(ground, ['budget', id, '--usd', '2']);
    await expectAllDone(ground, prompts, await runEnd(ground.world, id, timeoutMs));
  });

  it('real CLI: a budget of tokens holds alike, and over a kill -9 of the daemon [BUD-2] [BUD-5] [BUD-13] [BUD-19]', async (context) => {
    const ground = begin(context, settings);
    const { world } = ground;
    const prompts = promptsOf(ground);
    const left = await world.sb(['run', ...prompts, ...options, '--max-tokens', '231k']);
    expect(left.code, left.stdout + left.stderr).toBe(4);
    const { id } = (await world.only()).run;
    expect(left.stderr).toContain(`signalbox budget ${id} --tokens`);
    await until(() => isAtRest(ground, id), { timeoutMs, what: 'all to be at rest' });
    await expectBrake(ground, id);

    const before = ground.asked().length;
    await world.killDaemon();
    await world.up();
    expect(await isAtRest(ground, id)).toBe(true);
    expect(ground.asked()).toHaveLength(before);
    await order(ground, ['budget', id, '--tokens', '1M']);
    await expectAllDone(ground, prompts, await runEnd(world, id, timeoutMs));
  });
});

const options = ['--harness', 'claude', '--model', model, '--sandbox', 'workspace'];

function promptsOf({ prompt }: Ground): string[] {
  const steps = rounds.flatMap((path) => [{ usage: use }, { write: { path, text: 'x' } }]);
  return Array.from({ length: agents }, () => prompt([...steps, { usage: use }, { say: 'All done.' }]));
}

/** Every agent that has not ended waits for a budget, and has no process. */
async function isAtRest({ world, clis }: Ground, id: string): Promise<boolean> {
  const open = (await runOf(world, id)).tasks.filter(({ outcome }) => outcome === null);
  return open.length > 0 && open.every(({ wait }) => wait?.kind === 'budget') && clis().length === 0;
}

async function expectBrake({ world, asked }: Ground, id: string): Promise<void> {
  const exhausted = of(await recordOf(world, id), 'ask.opened');
  expect(exhausted).toHaveLength(1);
  const late = asked().filter(({ at }) => at > (exhausted[0]?.at ?? 0));
  expect(new Set(late.map(({ session }) => session)).size).toBe(late.length);
  expect(asked().length).toBeGreaterThanOrEqual(requestsPaid);
  expect(asked().length).toBeLessThanOrEqual(requestsPaid + agents);
  // What is known in the middle of a turn is what the model said.
  expect(tokensOf((await runOf(world, id)).usage)).toEqual(sumOf(asked()));
}

async function expectAllDone({ world, asked }: Ground, prompts: string[], run: RunView): Promise<void> {
  expect(run.outcome, JSON.stringify(run.tasks.map(({ outcome }) => outcome))).toBe('succeeded');
  expect(run.tasks.map(({ attempts }) => attempts)).toEqual(prompts.map(() => 1));
  expect(asked()).toHaveLength(requestsInAll);
  const sessions = prompts.map(
    (text) => new Set(asked().flatMap(({ conversation, session }) => (conversation.includes(text) ? [session] : []))),
  );
  expect(sessions.map(({ size }) => size)).toEqual(prompts.map(() => 1));
  const record = await recordOf(world, run.id);
  expect(of(record, 'agent.session').map(({ session }) => session)).toEqual(
    expect.arrayContaining(sessions.flatMap((each) => [...each])),
  );
  const resumed = of(record, 'launch.intended').filter(({ resume }) => resume);
  expect(resumed.length).toBeGreaterThan(0);
  expect(resumed).toHaveLength(of(record, 'attempt.parked').length);

  for (const by of ['task', 'model']) {
    const { stdout } = await world.sb(['usage', run.id, '--by', by, '--json']);
    const { rows, total } = JSON.parse(stdout) as UsageReport;
    expect(tokensOf(total)).toEqual(sumOf(asked()));
    expect(rows.map(({ usage }) => tokensOf(usage)).reduce(plus)).toEqual(tokensOf(total));
    expect(rows.reduce((sum, { usage }) => sum + (usage.costMicroUsd ?? Number.NaN), 0)).toBe(total.costMicroUsd);
    expect(total.costMicroUsd).toBe(requestsInAll * microUsdEach);
  }
}

async function order({ world }: Ground, args: readonly string[]): Promise<void> {
  const { code, stderr } = await world.sb(args);
  expect(code, stderr).toBe(0);
}

function of<T extends RunEvent['type']>(record: readonly RunEvent[], type: T): Extract<RunEvent, { type: T }>[] {
  return record.filter((event): event is Extract<RunEvent, { type: T }> => event.type === type);
}

/** Read, written, from a cache and into it; and how many requests. */
type Tokens = readonly number[];

function tokensOf(usage: Omit<UsageView, 'timeMs'>): Tokens {
  return [usage.inputTokens, usage.outputTokens, usage.cacheReadTokens, usage.cacheWriteTokens, usage.turns];
}

/** The usage that the model reported. */
function sumOf(requests: readonly ModelRequest[]): Tokens {
  return requests.reduce<Tokens>(
    (sum, { used }) =>
      plus(sum, [
        used?.input_tokens ?? 0,
        used?.output_tokens ?? 0,
        used?.cache_read_input_tokens ?? 0,
        used?.cache_creation_input_tokens ?? 0,
        used === null ? 0 : 1,
      ]),
    [0, 0, 0, 0, 0],
  );
}

function plus(a: Tokens, b: Tokens): Tokens {
  return a.map((value, i) => value + (b[i] ?? 0));
}
