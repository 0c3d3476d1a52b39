import { describe, expect, it } from 'vitest';
import type { AgentContext, Order } from '../../ports/harness.ts';
import { derivedUuid } from '../derived-uuid.ts';
import { environmentOf } from '../harnesses.ts';
import { createClaude } from './claude.ts';
import { claude } from './kind.ts';
import { claudeSettingsProblem } from './launch.ts';

const tools = [{ name: 'wait', description: 'Waits.', inputSchema: { type: 'object' } }];
const plain = createClaude({ binary: '/opt/claude', model: 'claude-sonnet-5', env: { ANTHROPIC_API_KEY: 'k' } });
const equipped = createClaude({
  binary: '/opt/claude',
  model: 'm',
  env: {},
  tools,
  parkingTools: ['wait', 'ask_person'],
});
const agent: AgentContext = { agentId: 'agent_1', session: null, resume: false, settings: {}, home: '/homes/1' };
const written = (order: Order): string => {
  const made = plain.encode(plain.initial(agent), order, agent);
  return made === 'notYet' ? made : made.record;
};
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('a launch of Claude Code', () => {
  it('names its session by the agent, and the model where one is named', () => {
    const { argv } = plain.command(agent);
    expect(valueOf(argv, '--session-id')).toBe(derivedUuid('agent_1'));
    expect(valueOf(argv, '--session-id')).toMatch(uuid);
    expect(valueOf(argv, '--model')).toBe('claude-sonnet-5');
    const unnamed = createClaude({ binary: 'claude', env: {} }).command(agent);
    expect(unnamed.argv).not.toContain('--model');
    expect(valueOf(plain.command({ ...agent, settings: { model: 'x' } }).argv, '--model')).toBe('x');
  });

  it('gets every flag again when resumed [HAR-7]', () => {
    const settings = { turnsMax: '3' };
    const first = plain.command({ ...agent, settings }).argv;
    const resumed = plain.command({ ...agent, settings, session: 's', resume: true }).argv;
    expect(resumed.filter((word) => word !== '--resume' && word !== 's')).toEqual(
      first.filter((word) => word !== '--session-id' && word !== derivedUuid('agent_1')),
    );
    expect(valueOf(resumed, '--resume')).toBe('s');
    expect(resumed).not.toContain('--session-id');
  });

  it("takes nothing from the repository's settings, and has a configuration directory of its own [HAR-7]", () => {
    const { argv, env } = plain.command(agent);
    expect(valueOf(argv, '--setting-sources')).toBe('');
    expect(argv).toContain('--strict-mcp-config');
    expect(env).toMatchObject({ HOME: '/homes/1', CLAUDE_CONFIG_DIR: '/homes/1/claude', ANTHROPIC_API_KEY: 'k' });
  });

  it('retries once when refused, unless the user configures otherwise [HAR-25]', () => {
    expect(plain.command(agent).env).toHaveProperty('CLAUDE_CODE_MAX_RETRIES', '1');
    const patient = createClaude({ binary: 'claude', model: 'm', env: { CLAUDE_CODE_MAX_RETRIES: '7' } });
    expect(patient.command(agent).env).toHaveProperty('CLAUDE_CODE_MAX_RETRIES', '7');
  });

  it('asks for permissions unless it is in a sandbox', () => {
    expect(plain.command(agent).argv).not.toContain('bypassPermissions');
    const { argv, env } = plain.command({ ...agent, sandboxed: true });
    expect(valueOf(argv, '--permission-mode')).toBe('bypassPermissions');
    expect(env).toHaveProperty('IS_SANDBOX', '1');
    // With it the CLI silently asks again, and wants a sandbox of its own around every command.
    expect(env).not.toHaveProperty('CLAUDE_CODE_SUBPROCESS_ENV_SCRUB');
    expect(plain.command(agent).env).not.toHaveProperty('CLAUDE_CODE_SUBPROCESS_ENV_SCRUB');
  });

  it('has no secret among its arguments [HAR-7]', () => {
    expect(JSON.stringify(plain.command(agent).argv)).not.toContain('"k"');
  });

  it('passes only named environment variables on', () => {
    const env = { ANTHROPIC_API_KEY: 'k', AWS_SECRET_ACCESS_KEY: 's', PATH: '/bin', TZ: undefined };
    expect(environmentOf(claude, env)).toEqual({ PATH: '/bin' });
  });

  it('refuses a request that is nested too deep to be stored [HAR-1] [HAR-8]', () => {
    const ask = (input: string) =>
      `{"type":"control_request","request_id":"r","request":{"subtype":"can_use_tool","tool_name":"Bash","input":${input}}}`;
    const deep = plain.read(plain.initial(agent), ask('['.repeat(100_000) + ']'.repeat(100_000)));
    expect(deep.events).toEqual([]);
    expect(deep.replies.map((record) => JSON.parse(record).response)).toMatchObject([
      { subtype: 'error', request_id: 'r', error: 'the request is nested too deep' },
    ]);
    expect(plain.read(plain.initial(agent), ask('[[[{"a":[]}]]]')).events[0]?.kind).toBe('permissionRequest');
  });

  it('has its settings checked before it starts', () => {
    expect(claudeSettingsProblem({ model: 'x', effort: 'high' })).toBe(null);
    expect(claudeSettingsProblem({ modle: 'x' })).toMatch(/no setting "modle"; it has: model, /);
  });
});

describe('what goes to Claude Code', () => {
  it('offers our tools first, and adds a hook after those that may park', () => {
    expect(records(plain.opening(agent)).map(({ request }) => request.subtype)).toEqual(['get_usage']);
    const [initialize] = records(equipped.opening(agent));
    const matcher = 'mcp__signalbox__wait|mcp__signalbox__ask_person';
    const asks = (callback: string) => [{ matcher, hookCallbackIds: [callback], timeout: 604_800 }];
    expect(initialize?.request).toEqual({
      subtype: 'initialize',
      hooks: { PreToolUse: asks('before-tool'), PostToolUse: asks('after-tool') },
      sdkMcpServers: ['signalbox'],
    });
    expect(valueOf(equipped.command(agent).argv, '--mcp-config')).toContain('"alwaysLoad":true');
  });

  it('adds a hook after every tool round under a budget, beside those that may park [HAR-14]', () => {
    const PostToolBatch = [{ matcher: '', hookCallbackIds: ['round'], timeout: 604_800 }];
    const [bare] = records(plain.opening({ ...agent, brake: true }));
    expect(bare?.request).toEqual({ subtype: 'initialize', hooks: { PostToolBatch } });
    const [both] = records(equipped.opening({ ...agent, brake: true }));
    expect(both?.request).toMatchObject({ hooks: { PostToolUse: [{}], PostToolBatch }, sdkMcpServers: ['signalbox'] });
  });

  it('asks for a receipt, then sends the record under a stable uuid', () => {
    const order: Order = { recordId: 'record_1', body: { kind: 'text', text: 'hi' } };
    const [receipt, message] = records(written(order));
    expect(receipt).toMatchObject({ type: 'control_request', request_id: 'received:record_1' });
    expect(message).toMatchObject({ type: 'user', message: { role: 'user', content: 'hi' } });
    expect(message?.uuid).toMatch(uuid);
    expect(written(order)).toBe(written(order));
  });

  it("contains no half characters, which the model's service would refuse [HAR-17]", () => {
    const texts: Order['body'][] = [
      { kind: 'text', text: 'cut \ud83d' },
      { kind: 'toolAnswer', requestId: 'r', rpcId: 2, text: '\udca1 cut, whole \u{1f4a1}', isError: false },
      { kind: 'deny', requestId: 'r', message: 'no \ud83d', interrupt: false },
    ];
    const records = texts.map((body) => written({ recordId: 'record_1', body }));
    expect(records.join('')).not.toMatch(/\\ud[89a-f]/i);
    expect(records[0]).toContain('cut \ufffd');
    expect(records[1]).toContain('\ufffd cut, whole \u{1f4a1}');
  });

  it('is never interpreted as a command of the CLI [HAR-6]', () => {
    const [, message] = records(written({ recordId: 'record_1', body: { kind: 'text', text: '/clear' } }));
    expect(message?.message.content).toBe('\n/clear');
  });

  it.each<[Order['body'], unknown]>([
    [{ kind: 'interrupt' }, { type: 'control_request', request: { subtype: 'interrupt' } }],
    [{ kind: 'end' }, { type: 'control_request', request: { subtype: 'end_session' } }],
    [{ kind: 'allow', requestId: 'r', input: { a: 1 } }, answer({ behavior: 'allow', updatedInput: { a: 1 } })],
    [
      { kind: 'deny', requestId: 'r', message: 'no', interrupt: true },
      answer({ behavior: 'deny', message: 'no', interrupt: true }),
    ],
    [
      { kind: 'toolAnswer', requestId: 'r', rpcId: 2, text: 'done', isError: false },
      answer({ mcp_response: { jsonrpc: '2.0', id: 2, result: { content: [{ type: 'text', text: 'done' }] } } }),
    ],
    [{ kind: 'round', requestId: 'r', goOn: true }, answer({})],
    [{ kind: 'round', requestId: 'r', goOn: false }, answer({ continue: false })],
  ])('%j is one record', (body, record) => {
    expect(records(written({ recordId: 'record_1', body }))).toMatchObject([record]);
  });
});

describe('a request of Claude Code to its host', () => {
  const asked = (request: unknown) => {
    const line = JSON.stringify({ type: 'control_request', request_id: 'r', request });
    const { events, replies } = equipped.read(equipped.initial(agent), line);
    return { events, replies: records(replies.join('')).map(({ response }) => response.response ?? response.error) };
  };
  const rpc = (message: unknown) => asked({ subtype: 'mcp_message', server_name: 'signalbox', message });

  it('about the tool server is answered at once, except a call', () => {
    expect(rpc({ method: 'initialize', id: 0, params: { protocolVersion: 'v' } }).replies).toMatchObject([
      { mcp_response: { id: 0, result: { protocolVersion: 'v', capabilities: { tools: {} } } } },
    ]);
    expect(rpc({ method: 'notifications/initialized' }).replies).toHaveLength(1);
    expect(rpc({ method: 'tools/list', id: 1 }).replies).toEqual([
      { mcp_response: { jsonrpc: '2.0', id: 1, result: { tools } } },
    ]);
    expect(rpc({ method: 'resources/list', id: 1 }).replies).toMatchObject([
      { mcp_response: { error: { code: -32601 } } },
    ]);
    expect(rpc({ method: 'tools/call', id: 2, params: { name: 'wait', arguments: { n: 1 } } })).toMatchObject({
      events: [{ kind: 'toolServerCall', requestId: 'r', rpcId: 2, tool: 'wait', input: { n: 1 } }],
      replies: [],
    });
  });

  it('from our hook waits for the engine, from any other is let pass', () => {
    const hook = (callback: string, input = {}) => asked({ subtype: 'hook_callback', callback_id: callback, input });
    expect(hook('after-tool')).toEqual({ events: [{ kind: 'round', requestId: 'r' }], replies: [] });
    expect(hook('round')).toEqual({ events: [{ kind: 'round', requestId: 'r' }], replies: [] });
    expect(hook('before-tool')).toEqual({ events: [], replies: [{}] });
    expect(hook('before-tool', { agent_id: 'a1' }).replies).toMatchObject([
      { hookSpecificOutput: { permissionDecision: 'deny' } },
    ]);
    expect(hook('strange')).toMatchObject({ events: [{ kind: 'hookCall', callback: 'strange' }], replies: [{}] });
  });

  it('that is unknown is refused, so that it does not wait [HAR-8]', () => {
    expect(asked({ subtype: 'new_thing' })).toEqual({ events: [], replies: ['not supported: new_thing'] });
  });
});

interface SentRecord {
  readonly uuid?: string;
  readonly request: { readonly subtype: string };
  readonly message: { readonly content: string };
  readonly response: { readonly response?: unknown; readonly error?: unknown };
}

function records(text: string): SentRecord[] {
  const lines = text.split('\n');
  expect(lines.pop()).toBe('');
  return lines.map((line) => JSON.parse(line) as SentRecord);
}

function answer(response: unknown): unknown {
  return { type: 'control_response', response: { subtype: 'success', request_id: 'r', response } };
}

function valueOf(argv: readonly string[], flag: string): string | undefined {
  return argv[argv.indexOf(flag) + 1];
}

describe('the size of a context window', () => {
  const called = (within: string | null) => {
    const content = [{ type: 'tool_use', id: 't1', name: 'Bash', input: {} }];
    const message = { id: 'm1', model: 'claude-sonnet-5', content, usage: {} };
    return JSON.stringify({ type: 'assistant', message, parent_tool_use_id: within });
  };
  const read = (...lines: string[]) => {
    let state = plain.initial(agent);
    const steps = lines.map((line) => {
      const step = plain.read(state, line);
      state = step.state;
      return step;
    });
    const asked = steps.flatMap(({ replies }) => replies.map((record) => JSON.parse(record)));
    return { asked, windows: steps.flatMap(({ events }) => events.filter(({ kind }) => kind === 'window')) };
  };
  const answer = (contextWindow: number) => {
    const session = { total_cost_usd: 0, model_usage: { 'claude-sonnet-5': { contextWindow } } };
    return JSON.stringify({ type: 'control_response', response: { request_id: 'window', response: { session } } });
  };

  it('is asked for with the first tool call, once a process, and read from the answer [HAND-14]', () => {
    const { asked, windows } = read(called('t0'), called(null), called(null), answer(200_000));
    expect(asked).toEqual([{ type: 'control_request', request_id: 'window', request: { subtype: 'get_usage' } }]);
    expect(windows).toEqual([{ kind: 'window', tokens: 200_000 }]);
    const taken = JSON.stringify({ type: 'user', uuid: 'record_1', isReplay: true, message: { content: 'x' } });
    expect(read(taken, called(null), answer(200_000)).windows).toMatchObject([{ inTurn: true }]);
  });

  it("is not asked for if the model's name contains it [HAND-14]", () => {
    const init = JSON.stringify({ type: 'system', subtype: 'init', session_id: 's', model: 'claude-opus-4-8[1m]' });
    expect(read(init, called(null))).toEqual({ asked: [], windows: [{ kind: 'window', tokens: 1_000_000 }] });
  });
});
