// Trouble with a model that the scripted agent plays: retries, limits, failures, what it used and how full it is.

import { afterEach, beforeEach, expect, it } from 'vitest';
import { openScriptedWorld, type ScriptedWorld, systems, texts, toolCalls } from './scripted-world.ts';

let world: ScriptedWorld;

beforeEach(() => {
  world = openScriptedWorld();
});

afterEach(() => world.close());

it('an API that refuses for a while costs only retries', async () => {
  const agent = world.act({ refuse: { status: 429, times: 2, retriesMax: 2, delayMs: 50 } }, { say: 'through' });
  expect(await agent.result()).toMatchObject({ is_error: false });
  expect(systems(agent, 'api_retry')).toMatchObject([
    { attempt: 1, max_retries: 2, retry_delay_ms: 50, error_status: 429, error: 'rate_limit' },
    { attempt: 2, error_status: 429 },
  ]);
  expect(texts(agent)).toEqual(['through']);
});

it('an API that keeps refusing fails the turn, in its own words', async () => {
  const agent = world.act({ refuse: { status: 429, retriesMax: 3, delayMs: 5, message: 'too many' } });
  const text = 'API Error: Request rejected (429) · too many';
  expect(await agent.result()).toMatchObject({
    is_error: true,
    subtype: 'success',
    api_error_status: 429,
    result: text,
  });
  expect(systems(agent, 'api_retry')).toHaveLength(3);
  expect(agent.printed).toContainEqual(expect.objectContaining({ type: 'assistant', error: 'rate_limit' }));
});

it('an overloaded API gives no status in the result', async () => {
  const agent = world.act({ refuse: { status: 529, delayMs: 5 } });
  expect(await agent.result()).toMatchObject({ is_error: true, api_error_status: null });
  expect(systems(agent, 'api_retry')).toMatchObject([{ error: 'overloaded', error_status: 529, max_retries: 1 }]);
});

it('an API that does not answer is retried with no status', async () => {
  const agent = world.act({ refuse: { status: null, times: 1, delayMs: 5 } });
  await agent.result();
  expect(systems(agent, 'api_retry')).toMatchObject([{ error_status: null, error: 'unknown' }]);
});

it('a failed turn runs its step again with the next input, unless it is marked as once', async () => {
  const always = world.act({ fail: 'auth' });
  expect(await always.result()).toMatchObject({ is_error: true });
  always.say('again');
  expect(await always.result(2)).toMatchObject({ is_error: true, api_error_status: 401 });
  const once = world.act({ fail: 'rate-limit', once: true }, { write: { path: 'late', text: 'x' } });
  expect(await once.result()).toMatchObject({ is_error: true, api_error_status: 429 });
  expect(world.file('late')).toBe(null);
  once.say('again');
  expect(await once.result(2)).toMatchObject({ is_error: false });
  expect(world.file('late')).toBe('x');
});

it.each([
  ['rate-limit', { subtype: 'success', api_error_status: 429 }, 'rate_limit'],
  ['overloaded', { subtype: 'success', api_error_status: null }, 'overloaded'],
  ['auth', { subtype: 'success', api_error_status: 401 }, 'authentication_failed'],
  ['billing', { subtype: 'success', api_error_status: 400 }, 'billing_error'],
  ['quota', { subtype: 'success', api_error_status: 429 }, null],
  ['context-overflow', { subtype: 'success', terminal_reason: 'prompt_too_long' }, null],
  ['max-output', { subtype: 'success' }, 'max_output_tokens'],
  ['refusal', { subtype: 'success', stop_reason: 'refusal' }, 'invalid_request'],
  ['max-turns', { subtype: 'error_max_turns', terminal_reason: 'max_turns' }, null],
  ['budget', { subtype: 'error_max_budget_usd' }, null],
  ['invalid-output', { subtype: 'error_max_structured_output_retries' }, null],
  ['bad luck', { subtype: 'error_during_execution', result: 'the script says: bad luck' }, null],
])('a failure by %s', async (reason, marks, error) => {
  const agent = world.act({ fail: reason });
  expect(await agent.result()).toMatchObject({ is_error: true, ...marks });
  expect(agent.printed.flatMap((line) => line['error'] ?? [])).toEqual(error === null ? [] : [error]);
});

it('an answer that stops short is reported', async () => {
  const refused = world.act({ stop: 'refusal' });
  expect(await refused.result()).toMatchObject({ is_error: true, stop_reason: 'refusal' });
  expect(systems(refused, 'model_refusal_no_fallback')).toHaveLength(1);
  const cut = world.act({ stop: 'max_tokens' });
  expect(await cut.result()).toMatchObject({ is_error: true });
});

it('a turn ends well on a tool call that was never made', async () => {
  const agent = world.act({ stop: 'tool_use' }, { say: 'later' });
  expect(await agent.result()).toMatchObject({ is_error: false, result: '', stop_reason: 'tool_use' });
  expect(toolCalls(agent)).toMatchObject([{ name: 'Bash', result: undefined }]);
  agent.say('go on');
  await agent.result(2);
  expect(texts(agent)).toEqual(['later']);
});

it("an account's limit is reported", async () => {
  const near = { rejected: false, of: 'five_hour', used: 0.9 };
  const agent = world.act({ rateLimit: { resetsAt: 1_900_000_000 } }, { rateLimit: near });
  await agent.result();
  expect(agent.printed.flatMap((line) => line['rate_limit_info'] ?? [])).toEqual([
    { status: 'rejected', resetsAt: 1_900_000_000 },
    { status: 'allowed_warning', rateLimitType: 'five_hour', utilization: 0.9 },
  ]);
});

it("usage is the turn's, cost the sum over the process, and unknown once a part of it is", async () => {
  const agent = world.act(
    { usage: { input_tokens: 10, cache_read_input_tokens: 7, cost_usd: 0.25 } },
    { usage: { input_tokens: 5, output_tokens: 1 } },
    { turn: '1' },
    { usage: { input_tokens: 1, cost_usd: 0.5 } },
    { turn: '2' },
    { usage: { cost_usd: null } },
  );
  const usage = { input_tokens: 15, output_tokens: 1, cache_read_input_tokens: 7, cache_creation_input_tokens: 0 };
  expect(await agent.result()).toMatchObject({ usage, total_cost_usd: 0.25 });
  agent.say('on');
  expect(await agent.result(2)).toMatchObject({ usage: { input_tokens: 1, output_tokens: 0 }, total_cost_usd: 0.75 });
  agent.say('on');
  expect(await agent.result(3)).not.toHaveProperty('total_cost_usd');
});

it('a context fills, and compaction empties it', async () => {
  const compact = { before: 180_000, after: 900, trigger: 'manual' };
  const agent = world.act({ context: 180_000 }, { say: 'full' }, { compact }, { say: 'empty' });
  await agent.result();
  const fills = agent.printed.flatMap((line) => (line['message'] as { usage?: { input_tokens: number } })?.usage ?? []);
  expect(fills.map(({ input_tokens: tokens }) => tokens)).toEqual([180_000, 900]);
  expect(systems(agent, 'compact_boundary')).toMatchObject([
    { compact_metadata: { trigger: 'manual', pre_tokens: 180_000, post_tokens: 900 } },
  ]);
  expect(systems(agent, 'status').map(({ status }) => status)).toEqual(['compacting', null]);
});
