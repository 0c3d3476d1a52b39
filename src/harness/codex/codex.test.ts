import { describe, expect, it } from 'vitest';
import { findPrice } from '../../model/spending/prices.ts';
import type { AgentContext, Order } from '../../ports/harness.ts';
import { environmentOf } from '../harnesses.ts';
import { listPrices } from '../list-prices.ts';
import { createCodex } from './codex.ts';
import { codex } from './kind.ts';
import { codexModels } from './models.ts';
import { strictSchema } from './output-schema.ts';
import { commandInShell } from './shell-words.ts';

const tools = [{ name: 'wait', description: 'Waits.', inputSchema: { type: 'object' } }];
const harness = createCodex({
  binary: '/opt/codex',
  model: 'gpt-6-sol',
  env: { PATH: '/bin' },
  tools,
  parkingTools: ['wait'],
});
const agent: AgentContext = { agentId: 'agent_a-1', session: null, resume: false, settings: {}, home: '/homes/1' };

/** The state behind these lines, and what they told. */
function after(lines: readonly object[], context: AgentContext = agent) {
  let state = harness.initial(context);
  const [events, replies]: [unknown[], string[]] = [[], []];
  for (const line of lines) {
    const step = harness.read(state, JSON.stringify(line));
    state = step.state;
    events.push(...step.events);
    replies.push(...step.replies);
  }
  return { state, events, replies };
}

const opened = { id: 'open', result: { thread: { id: 'th' }, model: 'gpt-6-sol' } };
const begun = { id: 'record_1', result: { turn: { id: 'tu' } } };
const note = (method: string, params: object) => ({ method, params: { threadId: 'th', ...params } });
const ended = (turn: object) => note('turn/completed', { turn: { id: 'tu', items: [], ...turn } });

function records(state: string, body: Order['body'], context: AgentContext = agent): object[] | 'notYet' {
  const made = harness.encode(state, { recordId: 'record_1', body }, context);
  if (made === 'notYet') return made;
  const again = harness.encode(made.pinned ?? harness.initial(context), { recordId: 'record_1', body }, context);
  expect(again).toMatchObject({ record: made.record });
  return made.record
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as object);
}

describe('a launch of Codex', () => {
  it('has a configuration of its own, with the credential in no file and no argument', () => {
    const { argv, env, files = [] } = harness.command({ ...agent, settings: { model: 'gpt-5.6-sol', effort: 'high' } });
    expect(argv).toEqual(['/opt/codex', 'app-server']);
    expect(env).toEqual({ PATH: '/bin', HOME: '/homes/1', CODEX_HOME: '/homes/1/codex' });
    const config = files.find(({ path }) => path === 'codex/config.toml')?.text ?? '';
    expect(config).toContain('model = "gpt-5.6-sol"\nmodel_reasoning_effort = "high"\n');
    expect(config).toContain('base_url = "https://api.openai.com/v1"');
    expect(config).toContain('env_key = "OPENAI_API_KEY"');
  });

  it('opens a thread with our tools, or takes one up again; outside a sandbox it asks before it acts', () => {
    const methods = (context: AgentContext) =>
      harness
        .opening(context)
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as { method: string; params?: Record<string, unknown> });
    const fresh = methods({ ...agent, sandboxed: true });
    expect(fresh.map(({ method }) => method)).toEqual([
      'initialize',
      'initialized',
      'fs/remove',
      'thread/start',
      'hooks/list',
    ]);
    expect(fresh[3]?.params).toMatchObject({ approvalPolicy: 'never', dynamicTools: [{ name: 'signalbox' }] });
    const again = methods({ ...agent, session: 'th', resume: true });
    expect(again[3]).toMatchObject({
      method: 'thread/resume',
      params: { threadId: 'th', approvalPolicy: 'untrusted' },
    });
    expect(methods({ ...agent, sandboxed: true, asks: true })[3]?.params).toMatchObject({
      approvalPolicy: 'untrusted',
    });
  });

  it('passes on how the service is reached, and no credential', () => {
    const given = { OPENAI_BASE_URL: 'http://x/v1', OPENAI_API_KEY: 'sk-1', HOME: '/root' };
    expect(environmentOf(codex, given)).toEqual({ OPENAI_BASE_URL: 'http://x/v1' });
  });

  it('a setting that it does not know is named', () => {
    expect(harness.settingsFlaw({ builtInTools: 'Bash' })).toMatch(/no setting "builtInTools"; it has: model, effort/);
    expect(harness.settingsFlaw({ model: 'm' })).toBe(null);
  });
});

describe('orders to Codex', () => {
  it('wait for the ids that they carry', () => {
    const nothing = after([]).state;
    for (const kind of ['interrupt', 'compact'] as const) expect(records(nothing, { kind })).toBe('notYet');
    expect(records(nothing, { kind: 'text', text: 'x' })).toBe('notYet');
    const idle = after([opened]).state;
    expect(records(idle, { kind: 'interrupt' })).toBe('notYet');
    expect(records(idle, { kind: 'compact' })).toMatchObject([{ method: 'thread/compact/start' }]);
    const busy = after([opened, begun]).state;
    expect(records(busy, { kind: 'compact' })).toBe('notYet');
    expect(records(busy, { kind: 'interrupt' })).toMatchObject([
      { method: 'turn/interrupt', params: { threadId: 'th', turnId: 'tu' } },
      { method: 'thread/backgroundTerminals/clean', params: { threadId: 'th' } },
    ]);
  });

  it('say a message by its own name, under the sandbox that is around it', () => {
    const [said] = records(
      after([opened]).state,
      { kind: 'text', text: '/x' },
      { ...agent, sandboxed: true },
    ) as object[];
    expect(said).toMatchObject({
      id: 'record_1',
      method: 'turn/start',
      params: {
        clientUserMessageId: 'record_1',
        input: [{ type: 'text', text: '/x' }],
        sandboxPolicy: { type: 'externalSandbox' },
      },
    });
  });

  it('wait while the conversation is made shorter', () => {
    const { state, events } = after([opened, { id: 'compact:record_9', result: {} }]);
    expect(events.at(-1)).toEqual({ kind: 'delivered', recordId: 'record_9' });
    expect(records(state, { kind: 'text', text: 'x' })).toBe('notYet');
    const done = after([opened, { id: 'compact:record_9', result: {} }, ended({ status: 'completed' })]);
    expect(done.events.at(-1)).toEqual({ kind: 'turnEnded', turn: { kind: 'ok', text: '', cut: false } });
    expect(records(done.state, { kind: 'text', text: 'x' })).not.toBe('notYet');
  });

  it('answer what it asked by the id of its request, number or text', () => {
    const { state } = after([opened, begun]);
    expect(records(state, { kind: 'allow', requestId: '7', input: {} })).toEqual([
      { id: 7, result: { decision: 'accept' } },
    ]);
    expect(records(state, { kind: 'allow', requestId: '"x', input: {} })).toMatchObject([{ id: 'x' }]);
    const denied = { kind: 'deny', requestId: '7', message: 'no', interrupt: false } as const;
    expect(records(state, denied)).toMatchObject([
      { method: 'turn/steer', params: { expectedTurnId: 'tu', input: [{ text: 'Not permitted: no' }] } },
      { id: 7, result: { decision: 'decline' } },
    ]);
    expect(records(state, { ...denied, interrupt: true })).toMatchObject([{ id: 7, result: { decision: 'cancel' } }]);
    const questions = [{ id: 'q1', question: 'Which?' }];
    expect(records(state, { kind: 'allow', requestId: '7', input: { questions }, answers: [['both']] })).toEqual([
      { id: 7, result: { answers: { q1: { answers: ['both'] } } } },
    ]);
  });
});

describe('what Codex says', () => {
  const call = {
    method: 'item/tool/call',
    id: 3,
    params: { callId: 'c', namespace: 'signalbox', tool: 'wait', arguments: {} },
  };
  const hook = note('hook/started', { run: { eventName: 'preModelRequest' } });

  it('a tool that may end the turn is told only when the gate is shut, and then the engine is asked [HAR-26]', () => {
    const called = after([opened, begun, call]);
    expect(called.events.map((event) => (event as { kind: string }).kind)).not.toContain('toolServerCall');
    expect(JSON.parse(called.replies[0] ?? '')).toMatchObject({ id: 'gate:3', method: 'fs/writeFile' });
    const shut = after([opened, begun, call, { id: 'gate:3', result: {} }, hook]);
    expect(shut.events.slice(-2)).toMatchObject([
      { kind: 'toolServerCall', requestId: '3', tool: 'wait', toolUseId: 'c' },
      { kind: 'round', requestId: 'gate th tu 0' },
    ]);
    expect(records(shut.state, { kind: 'round', requestId: 'gate th tu 0', goOn: true })).toMatchObject([
      { method: 'fs/writeFile', params: { path: '/homes/1/codex/gate' } },
    ]);
    expect(records(shut.state, { kind: 'round', requestId: 'gate th tu 0', goOn: false })).toMatchObject([
      { id: 'pause:record_1', method: 'turn/interrupt', params: { threadId: 'th', turnId: 'tu' } },
    ]);
    const lines = [opened, begun, call, { id: 'gate:3', result: {} }, hook, { id: 'pause:record_1', result: {} }];
    const paused = after([...lines, ended({ status: 'interrupted' })]);
    expect(paused.events.at(-1)).toEqual({ kind: 'turnEnded', turn: { kind: 'ok', text: '', cut: false } });
    // Open again for the next turn.
    expect(JSON.parse(paused.replies.at(-1) ?? '')).toMatchObject({
      params: { dataBase64: Buffer.from('open\n').toString('base64') },
    });
  });

  it('under a brake the first request of a turn passes, and each further one is asked about [HAR-14]', () => {
    const braked = { ...agent, brake: true };
    const { events, replies } = after([opened, begun, hook, hook, hook], braked);
    expect(replies.map((reply) => (JSON.parse(reply) as { id: string }).id)).toEqual(['pass:tu']);
    expect(events.slice(-2)).toEqual([
      { kind: 'round', requestId: 'pass th tu 1' },
      { kind: 'round', requestId: 'pass th tu 2' },
    ]);
  });

  it('a hook that this version would not run is told', () => {
    const hooks = { id: 'hooks', result: { data: [{ hooks: [{ command: 'other', trustStatus: 'trusted' }] }] } };
    expect(after([opened, hooks]).events.at(-1)).toMatchObject({ kind: 'error', code: 'hook' });
  });

  it('a session that is not there is lost, and the process ends', () => {
    const gone = { id: 'open', error: { code: -32600, message: 'no rollout found for thread id th' } };
    const { events, replies } = after([gone], { ...agent, session: 'th', resume: true });
    expect(events).toMatchObject([{ kind: 'sessionLost' }, { kind: 'error' }]);
    expect(JSON.parse(replies[0] ?? '')).toMatchObject({ method: 'command/exec' });
  });

  it('what it used is told at the end of the turn, without a cost, and what was cached apart', () => {
    const tokens = (inputTokens: number, cachedInputTokens: number, outputTokens: number) => ({
      totalTokens: inputTokens + outputTokens,
      inputTokens,
      cachedInputTokens,
      cacheWriteInputTokens: 0,
      outputTokens,
    });
    const usage = (total: object, last: object) =>
      note('thread/tokenUsage/updated', { tokenUsage: { total, last, modelContextWindow: 258_400 } });
    const before = usage(tokens(1_000, 0, 10), tokens(1_000, 0, 10));
    const lines = [
      opened,
      before,
      begun,
      usage(tokens(3_000, 900, 30), tokens(2_000, 900, 20)),
      usage(tokens(5_500, 2_800, 35), tokens(2_500, 1_900, 5)),
      ended({ status: 'completed' }),
    ];
    const { events } = after(lines);
    expect(events.filter((event) => (event as { kind: string }).kind === 'usage')).toEqual([
      {
        kind: 'usage',
        model: 'gpt-6-sol',
        usage: {
          inputTokens: 1_700,
          outputTokens: 25,
          cacheReadTokens: 2_800,
          cacheWriteTokens: 0,
          costMicroUsd: null,
          turns: 2,
        },
      },
    ]);
    expect(events).toContainEqual({ kind: 'window', tokens: 258_400, inTurn: true });
  });

  it.each([
    [{ codexErrorInfo: 'contextWindowExceeded' }, 'context-overflow'],
    [{ codexErrorInfo: 'usageLimitExceeded' }, 'quota'],
    [{ codexErrorInfo: 'unauthorized' }, 'auth'],
    [{ codexErrorInfo: { httpConnectionFailed: { httpStatusCode: 401 } } }, 'auth'],
    [{ codexErrorInfo: { httpConnectionFailed: { httpStatusCode: 503 } } }, 'unavailable'],
    [{ codexErrorInfo: { httpConnectionFailed: { httpStatusCode: null } } }, 'unavailable'],
    [{ codexErrorInfo: { responseTooManyFailedAttempts: { httpStatusCode: 429 } } }, 'rate-limit'],
    [{ codexErrorInfo: 'constructor' }, 'crash'],
    [{ codexErrorInfo: 'other', message: 'You exceeded your current quota (insufficient_quota)' }, 'quota'],
    [null, 'crash'],
  ])('a turn that failed with %j has failed with %s', (error, reason) => {
    const { events } = after([opened, begun, ended({ status: 'failed', error })]);
    expect(events.at(-1)).toMatchObject({ kind: 'turnEnded', turn: { failure: { reason } } });
  });

  it('a typed output is the last message, also between fences, and nothing where that is no JSON', () => {
    const typed = { ...agent, schema: { type: 'object' } };
    const outputs = (text: string) =>
      after(
        [opened, begun, ended({ status: 'completed', items: [{ type: 'agentMessage', text }] })],
        typed,
      ).events.filter((event) => (event as { kind: string }).kind === 'structured');
    expect(outputs('{"a":1}')).toEqual([{ kind: 'structured', value: { a: 1 } }]);
    expect(outputs('```json\n[1]\n```')).toEqual([{ kind: 'structured', value: [1] }]);
    expect(outputs('All done.')).toEqual([]);
  });
});

it('the command inside a shell is found where it is plainly one', () => {
  expect(commandInShell(`/bin/bash -lc "printf %s 'y' > 'yes.txt'"`)).toBe("printf %s 'y' > 'yes.txt'");
  expect(commandInShell("/bin/bash -lc 'npm test'")).toBe('npm test');
  expect(commandInShell('/bin/bash -lc ls')).toBe('ls');
  expect(commandInShell(String.raw`/bin/sh -c 'it'\''s'`)).toBe("it's");
  for (const odd of ['rm -rf /', '/bin/bash -lc ls -l', '/bin/bash -lc "$(x)"', "/bin/bash -lc 'open"])
    expect(commandInShell(odd)).toBe(odd);
});

it('a schema goes to the service only if it says everything', () => {
  const strict = {
    type: 'object',
    properties: { a: { type: 'array', items: { type: 'string' } } },
    required: ['a'],
    additionalProperties: false,
  };
  expect(strictSchema(strict)).toEqual(strict);
  expect(strictSchema({ ...strict, required: [] })).toBe(null);
  expect(strictSchema({ ...strict, additionalProperties: true })).toBe(null);
  expect(strictSchema({ ...strict, properties: { a: { type: 'object' } } })).toBe(null);
  expect(strictSchema({ type: 'array', items: {} })).toBe(null);
  expect(strictSchema(null)).toBe(null);
});

it('a version is tested, untested or too old', () => {
  const judge = (text: string) => codex.program?.judgeVersion(text);
  expect(judge('codex-cli 0.169.0')).toBe('tested');
  expect(judge('codex-cli 0.170.1')).toBe('untested');
  expect(judge('codex-cli 0.166.0')).toBe('tooOld');
  expect(judge('hello')).toBe('untested');
});

it('models are known by their families, and the usual one has a price', () => {
  const none = new Map();
  for (const model of ['gpt-6-sol', 'gpt-6.1-sol', 'gpt-5.3-codex', 'openai/gpt-5.5'])
    expect(codexModels.flaw(model, none)).toBe(null);
  expect(codexModels.flaw('claude-opus-5', none)).toMatch(/Codex has no model/);
  expect(findPrice({ listed: listPrices, own: none }, 'gpt-6-sol')).not.toBe(null);
});
