// The codec over every recorded transcript of the real CLI, 2.1.197 and 2.1.325.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadRecording, rawLines, readAll, recordings } from '../../../test/harness/recordings.ts';
import { of, type Summary, summarize } from '../../../test/harness/summary.ts';
import { derivedUuid } from '../derived-uuid.ts';
import { createClaude } from './claude.ts';

const harness = createClaude({ binary: 'claude', model: 'claude-haiku-4-5', env: {} });

/** Checked by hand against the transcripts. */
const expected: Readonly<Record<string, Summary>> = {
  'api-error-429-exhausted': { turns: 'rate-limit', used: '0/0 $0 in 0', also: 'retry 2, limited 1, error 1' },
  'api-error-prompt-too-long': { turns: 'context-overflow', used: '0/0 $0 in 0', also: 'error 1' },
  'api-retry-429-then-ok': { turns: 'ok', used: '10/5 $175 in 1', also: 'retry 2, limited 1' },
  'bash-background-task': {
    turns: 'ok',
    used: '30/15 $525 in 3',
    tools: 'Bash',
    also: 'backgroundStarted 1, backgroundEnded 1',
  },
  'basic-success': { turns: 'ok', used: '10/5 $175 in 1' },
  'bidi-cancel_async_message': { turns: 'ok', used: '20/10 $350 in 2', delivered: '1 3', tools: 'Bash' },
  'bidi-no-replay': { turns: 'ok ok', used: '40/20 $700 in 4', tools: 'Bash Write' },
  'bidi-now-mid-stream': { turns: 'ok ok', used: '10/5 $175 in 2', delivered: '1 2' },
  'bidi-priority-default-next': { turns: 'ok ok', used: '40/20 $700 in 4', delivered: '1 2 3', tools: 'Bash Write' },
  'bidi-priority-later': { turns: 'ok ok ok', used: '50/25 $875 in 5', delivered: '1 2 3', tools: 'Bash Write' },
  'bidi-priority-now': { turns: 'ok ok ok', used: '40/20 $700 in 4', delivered: '1 2 3', tools: 'Bash Write' },
  'bidi-three-messages-coalesced': { turns: 'ok ok', used: '20/10 $350 in 2', delivered: '1 2 3 4' },
  'can_use_tool-stdio-allow': {
    turns: 'ok',
    used: '30/15 $525 in 3',
    tools: 'Write Bash',
    also: 'permissionRequest 2, blocked 2',
  },
  'can_use_tool-stdio-deny': {
    turns: 'ok',
    used: '30/15 $525 in 3',
    tools: 'Write Bash',
    also: 'permissionRequest 2, blocked 2',
  },
  'can_use_tool-stdio-denyint': {
    turns: 'stopped',
    used: '10/5 $175 in 1',
    tools: 'Write',
    also: 'permissionRequest 1, blocked 1',
  },
  'can_use_tool-stdio-noanswer': {
    turns: 'stopped ok',
    used: '30/15 $525 in 3',
    tools: 'Write Bash',
    also: 'permissionRequest 2, blocked 2, withdrawn 1',
  },
  'compact-auto': { turns: 'ok ok ok ok ok ok ok ok', used: '185030/615 $564315 in 8', also: 'compaction 1' },
  'compact-manual': { turns: 'ok ok ok ok ok ok ok ok', used: '80/40 $1400 in 7', also: 'compaction 1' },
  'control-requests': { turns: 'ok', used: '10/5 $105 in 1' },
  'fallback-model-529': { turns: 'ok', used: '10/5 $35 in 1', also: 'retry 2, limited 1' },
  'interrupt-mid-stream': { turns: 'stopped ok', used: '10/5 $175 in 2', delivered: '1' },
  'interrupt-mid-tool': { turns: 'stopped ok', used: '20/10 $350 in 2', delivered: '1', tools: 'Bash' },
  'mcp-denied-headless': { turns: 'ok', used: '20/10 $350 in 2', tools: 'mcp__orch__spawn_agent' },
  'mcp-http-spawn_agent': { turns: 'ok', used: '20/10 $350 in 2', tools: 'mcp__orch__spawn_agent' },
  'mcp-json-response-60s-timeout': { turns: 'ok', used: '20/10 $350 in 2', tools: 'mcp__orch__spawn_agent' },
  'mcp-result-200KB': { turns: 'ok', used: '20/10 $350 in 2', tools: 'mcp__orch__spawn_agent' },
  'model-refusal': { turns: 'refusal', used: '10/5 $175 in 1', also: 'error 1' },
  'parked-beside-bash': {
    turns: 'ok ok',
    used: '20/10 $70 in 2',
    delivered: '1 2',
    tools: 'mcp__signalbox__wait Bash mcp__signalbox__spawn_agent',
    also: 'toolServerCall 2, round 1, replies 7',
  },
  'parked-then-mail': {
    turns: 'ok ok',
    used: '30/15 $105 in 3',
    delivered: '1 2 3',
    tools: 'mcp__signalbox__wait Bash',
    also: 'toolServerCall 1, round 1, replies 7',
  },
  'partial-messages': { turns: 'ok', used: '20/10 $350 in 2', tools: 'Bash' },
  'permission-prompt-tool-mcp': { turns: 'ok', used: '20/10 $350 in 2', tools: 'Write Write' },
  'pretooluse-hook-deny': { turns: 'ok', used: '20/10 $350 in 2', tools: 'Write Write Bash' },
  'prompt-too-long-reactive-compact': {
    turns: 'ok ok ok ok ok ok ok ok',
    used: '90/45 $315 in 8',
    also: 'compaction 1',
  },
  'result-error_max_budget_usd': { turns: 'budget', used: '2000/2000 $60000 in 2', tools: 'Bash Bash' },
  'result-error_max_structured_output_retries': {
    turns: 'invalid-output',
    used: '40/20 $700 in 5',
    tools: 'StructuredOutput StructuredOutput StructuredOutput StructuredOutput StructuredOutput',
  },
  'result-error_max_turns': { turns: 'max-turns', used: '2000/2000 $60000 in 2', tools: 'Bash Bash' },
  'resume-after-sigkill-mid-tool': { turns: 'ok', used: '10/5 $175 in 1' },
  'sdk-hook_callback-and-mcp_message': {
    turns: 'ok',
    used: '20/10 $350 in 2',
    tools: 'Write Write mcp__host__spawn_agent',
    also: 'hookCall 6, toolServerCall 1, replies 12',
  },
  session_state_changed: { turns: 'ok', used: '10/5 $175 in 1' },
  'signal-SIGINT-mid-tool': {
    turns: 'stopped',
    used: '20/10 $350 in 2',
    tools: 'Bash Bash',
    also: 'backgroundStarted 1, backgroundEnded 1',
  },
  'signal-SIGTERM-mid-tool': {
    turns: '',
    used: '0/0 $0 in 0',
    tools: 'Bash Bash',
    also: 'backgroundStarted 1, backgroundEnded 1',
  },
  'structured-output-missing': { turns: 'ok', used: '20/10 $350 in 2' },
  'structured-output-ok': { turns: 'ok', used: '10/5 $175 in 1', tools: 'StructuredOutput', also: 'structured 1' },
  'subagents-nest': { turns: 'ok', used: '50/25 $875 in 3', tools: 'Agent (Agent)' },
  'subagents-one-bg': {
    turns: 'ok ok',
    used: '40/20 $700 in 4',
    tools: 'Agent',
    also: 'backgroundStarted 1, backgroundEnded 1',
  },
  'subagents-seven': { turns: 'ok', used: '90/45 $1575 in 2', tools: 'Agent Agent Agent Agent Agent Agent Agent' },
  'v2.1.325-bidi-priority-default-next': {
    turns: 'ok ok',
    used: '40/20 $560 in 4',
    delivered: '1 2 3',
    tools: 'Bash Write',
    also: 'replies 1',
  },
  'v2.1.325-can_use_tool-stdio-allow': {
    turns: 'ok',
    used: '30/15 $420 in 3',
    tools: 'Write Bash',
    also: 'permissionRequest 2, blocked 2, replies 1',
  },
  'v2.1.325-interrupt-mid-tool': {
    turns: 'stopped ok',
    used: '20/10 $280 in 2',
    delivered: '1',
    tools: 'Bash',
    also: 'replies 1',
  },
  'v2.1.325-parked-beside-bash': {
    turns: 'ok ok',
    used: '20/10 $70 in 2',
    delivered: '1 2',
    tools: 'mcp__signalbox__wait Bash mcp__signalbox__spawn_agent',
    also: 'toolServerCall 2, round 1, replies 4',
  },
  'v2.1.325-resume-after-sigkill-mid-tool': { turns: 'ok', used: '10/5 $140 in 1' },
  'v2.1.325-sdk-hook_callback-and-mcp_message': {
    turns: 'ok',
    used: '20/10 $280 in 2',
    tools: 'Write Write mcp__host__spawn_agent',
    also: 'hookCall 6, toolServerCall 1, replies 10',
  },
  'v2.1.325-subagents-seven': {
    turns: 'ok ok ok ok ok ok ok ok',
    used: '110/55 $1540 in 11',
    tools: 'Agent Agent Agent Agent Agent Agent Agent',
    also: 'backgroundStarted 7, backgroundEnded 7, replies 1',
  },
};

describe('recorded transcripts', () => {
  it('each have a row in the table', () => {
    expect(recordings.toSorted()).toEqual(Object.keys(expected).toSorted());
  });

  it.each(recordings)('%s is read as expected [HAR-2]', (name) => {
    expect(summarize(readAll(harness, loadRecording(name)))).toEqual(expected[name]);
  });

  it.each(recordings)('%s is read the same when the state is stored and restored after every line [HAR-1]', (name) => {
    const recording = loadRecording(name);
    const straight = readAll(harness, recording);
    const restarted = readAll(harness, recording, true);
    expect(restarted.events).toEqual(straight.events);
    expect(restarted.ended).toEqual(straight.ended);
    expect(Math.max(...straight.states.map((state) => state.length))).toBeLessThan(1_500);
  });

  it.each(recordings)('%s cut off anywhere neither throws nor ends well', (name) => {
    const recording = loadRecording(name);
    for (let cut = 0; cut < recording.lines.length; cut += 1) {
      const { events, ended } = readAll(harness, { ...recording, lines: recording.lines.slice(0, cut) });
      const results = recording.lines.slice(0, cut).filter((line) => line.includes('"type":"result"')).length;
      const told = of(events, 'turnEnded').length + (ended === null ? 0 : 1);
      expect(told).toBeLessThanOrEqual(results);
    }
  });
});

describe('reading a turn', () => {
  const { lines } = loadRecording('session_state_changed');
  const turnsOf = (some: readonly string[]) =>
    of(readAll(harness, { lines: some, sent: [], status: 0 }).events, 'turnEnded');

  it('a result counts when the agent is idle, and not before [HAR-3]', () => {
    const result = lines.findIndex((line) => line.includes('"type":"result"'));
    expect(turnsOf(lines.slice(0, result + 1))).toEqual([]);
    expect(turnsOf(lines)).toHaveLength(1);
  });

  it('a result counts if the process ends before it is idle; without a result there is no turn, whatever the status', () => {
    const result = lines.findIndex((line) => line.includes('"type":"result"'));
    const cut = (end: number, status: number | null) =>
      readAll(harness, { lines: lines.slice(0, end), sent: [], status }).ended;
    expect(cut(result + 1, 1)).toMatchObject({ kind: 'ok', text: 'ok' });
    expect(cut(result + 1, null)).toBe(null);
    expect(cut(result, 0)).toBe(null);
  });

  it('a record that an earlier process had read gives a failed turn, not silence', () => {
    const idle = JSON.stringify({ type: 'system', subtype: 'session_state_changed', state: 'idle' });
    const receipt = JSON.stringify({ type: 'control_response', response: { request_id: 'received:record_1' } });
    const ack = JSON.stringify({ type: 'user', isReplay: true, uuid: derivedUuid('record_1') });
    expect(turnsOf([receipt, ack, idle])).toMatchObject([{ turn: { kind: 'failed', failure: { reason: 'crash' } } }]);
    // The receipt may be late.
    expect(turnsOf([ack, receipt, idle])).toHaveLength(1);
    expect(turnsOf([idle])).toEqual([]);
  });

  it('a running sum with unknown start gives no cost, in versions that keep counting [HAR-4]', () => {
    const costs = (name: string) =>
      of(readAll(harness, loadRecording(name, { sums: false })).events, 'usage').map(({ usage }) => usage.costMicroUsd);
    expect(costs('v2.1.325-bidi-priority-default-next')).toEqual([null, 140]);
    expect(costs('bidi-priority-default-next')).toEqual([525, 175]);
  });

  it('a resumed session with known earlier usage is charged only for the rest', () => {
    const recording = loadRecording('v2.1.325-resume-after-sigkill-mid-tool', { sums: false });
    const sums = { session: { total_cost_usd: 0.0001, model_usage: { m: { inputTokens: 4, outputTokens: 1 } } } };
    const told = JSON.stringify({
      type: 'control_response',
      response: { subtype: 'success', request_id: 'sums', response: sums },
    });
    const { events } = readAll(harness, { ...recording, lines: [told, ...recording.lines] });
    expect(of(events, 'usage')).toMatchObject([{ usage: { inputTokens: 6, outputTokens: 4, costMicroUsd: 40 } }]);
  });

  it.each([
    [{ subtype: 'success', api_error_status: 401 }, 'auth'],
    [{ subtype: 'success', api_error_status: 403 }, 'auth'],
    [{ subtype: 'success', api_error_status: 413 }, 'context-overflow'],
    [{ subtype: 'success', api_error_status: 500 }, 'unavailable'],
    [{ subtype: 'success', api_error_status: 529 }, 'rate-limit'],
    [{ subtype: 'constructor', terminal_reason: '__proto__' }, 'crash'],
    [{ subtype: 'error_during_execution', terminal_reason: 'budget_exhausted' }, 'budget'],
    [{ subtype: 'success', stop_reason: 'refusal' }, 'refusal'],
  ])('a result %j has failed with %s', (fields, reason) => {
    const line = JSON.stringify({ type: 'result', is_error: true, ...fields });
    expect(turnsOf([line])).toMatchObject([{ turn: { failure: { reason } } }]);
  });

  it.each([
    ['max_output_tokens', 'max-output'],
    ['billing_error', 'billing'],
    ['authentication_failed', 'auth'],
    ['rate_limit', 'rate-limit'],
    ['server_error', 'unavailable'],
    ['model_not_found', 'setup-failed'],
  ])('an error of %s before the result makes it %s', (error, reason) => {
    const complaint = JSON.stringify({
      type: 'assistant',
      error,
      message: { content: [{ type: 'text', text: 'no' }] },
    });
    const result = JSON.stringify({ type: 'result', subtype: 'success', is_error: true, result: 'no' });
    expect(turnsOf([complaint, result])).toMatchObject([{ turn: { failure: { reason, detail: 'no' } } }]);
  });

  it('an exhausted quota is distinguished from a rate limit', () => {
    const info = { status: 'rejected', resetsAt: 1_800_000_000 };
    const limit = JSON.stringify({ type: 'rate_limit_event', rate_limit_info: info });
    const result = JSON.stringify({ type: 'result', is_error: true, api_error_status: 429 });
    expect(turnsOf([limit, result])).toMatchObject([{ turn: { failure: { reason: 'quota' } } }]);
  });

  it('any line is answered by the codec, and its state stays small [HAR-1]', () => {
    const samples = recordings.flatMap((name) => loadRecording(name).lines);
    const damaged = fc.tuple(fc.constantFrom(...samples), fc.nat(), fc.string()).map(([line, at, noise]) => {
      const place = at % line.length;
      return line.slice(0, place) + noise + line.slice(place + noise.length);
    });
    const strange = fc.record({
      type: fc.constantFrom('user', 'system', 'assistant', 'result', 'control_request', 'control_response'),
      subtype: fc.constantFrom('init', 'task_started', 'task_updated', 'session_state_changed', 'api_retry', undefined),
      message: fc.jsonValue(),
      request: fc.jsonValue(),
      response: fc.jsonValue(),
      uuid: fc.oneof(fc.constantFrom('__proto__', 'constructor', 'record_1'), fc.string()),
      task_id: fc.oneof(fc.constantFrom('__proto__', 'toString'), fc.string()),
      is_backgrounded: fc.boolean(),
      isReplay: fc.boolean(),
      state: fc.constantFrom('idle', 'running'),
    });
    const line = fc.oneof(
      fc.string(),
      damaged,
      strange.map((value) => JSON.stringify(value)),
      fc.constantFrom(...samples),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 60 }), (some) => {
        const { states } = readAll(harness, {
          lines: some.map((one) => one.replaceAll('\n', ' ')),
          sent: [],
          status: 1,
        });
        expect(Math.max(...states.map((state) => state.length))).toBeLessThan(50_000);
      }),
      { numRuns: 150 },
    );
  });

  it('a line that is no JSON object becomes an event', () => {
    const { events } = readAll(harness, { lines: ['Segmentation fault', '', '[1]', 'null'], sent: [], status: 1 });
    expect(of(events, 'garbage').map(({ text }) => text)).toEqual(['Segmentation fault', '[1]', 'null']);
  });
});

describe('the session file', () => {
  it('says which records were read, also those inside a tool round [HAR-5]', () => {
    const [first, second, third] = ['record_1', 'record_2', 'record_3'] as const;
    const lines = rawLines('session-file-killed-mid-tool').map((line) =>
      line.replaceAll('11111111-1111-4111-8111-111111111111', derivedUuid(first)),
    );
    const folded = { type: 'attachment', attachment: { type: 'queued_command', source_uuid: derivedUuid(second) } };
    const queued = { type: 'queue-operation', operation: 'enqueue', uuid: derivedUuid(third) };
    const all = [...lines, JSON.stringify(folded), JSON.stringify(queued), 'torn{'];
    expect([...harness.delivered(all, [first, second, third])]).toEqual([first, second]);
  });

  it('names only the last of several records that it joined', () => {
    const entry = { type: 'user', message: { content: 'two\nthree' }, uuid: derivedUuid('record_3') };
    const judged = harness.delivered([JSON.stringify(entry)], ['record_2', 'record_3', 'record_4']);
    expect([...judged]).toEqual(['record_2', 'record_3']);
  });

  it('of the newer version gives the same', () => {
    const lines = rawLines('v2.1.325-session-file-killed-mid-tool').map((line) =>
      line.replaceAll('11111111-1111-4111-8111-111111111111', derivedUuid('record_1')),
    );
    expect([...harness.delivered(lines, ['record_1', 'record_2'])]).toEqual(['record_1']);
  });
});
