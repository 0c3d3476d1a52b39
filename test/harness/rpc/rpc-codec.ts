// JSON-RPC in lines, as a state machine. Ids of our requests derive from their orders, so that an answer tells which order was
// read; ids of threads and turns are the agent's, and orders wait for them.

import { callWords } from '../../../src/harness/call-words.ts';
import type { RecordId } from '../../../src/model/core/ids.ts';
import type { AgentEvent, Turn } from '../../../src/model/session/agent-fact.ts';
import type { Encoded, Order, ReadStep } from '../../../src/ports/harness.ts';

export interface State {
  /** The thread to resume; null = a new one. */
  readonly resume: string | null;
  readonly thread: string | null;
  readonly turn: string | null;
  /** Calls without a result yet, in words. */
  readonly calls: Readonly<Record<string, string>>;
  /** The service has answered, and has not refused since. */
  readonly answered: boolean;
}

export const start: State = { resume: null, thread: null, turn: null, calls: {}, answered: false };

interface Message {
  readonly id?: string | number;
  readonly method?: string;
  readonly params: Params;
  readonly result?: { readonly thread: { readonly id: string }; readonly turn?: { readonly id: string } };
  readonly error?: { readonly message: string };
}

/** Each method has some of these: the agent is ours. */
interface Params extends Completed {
  readonly id: number;
  readonly callId: string;
  readonly tool: string;
  readonly input: unknown;
  readonly arguments: unknown;
  readonly isError: boolean;
  readonly attempt: number;
  readonly attemptsMax: number;
  readonly delayMs: number;
  readonly httpStatus: number;
}

type Step = { readonly state?: State; readonly events?: readonly AgentEvent[]; readonly replies?: readonly string[] };

export function readLine(text: string, line: string): ReadStep {
  const message = parse(line);
  if (message === null) return { state: text, events: [{ kind: 'garbage', text: line.slice(0, 200) }], replies: [] };
  const before = JSON.parse(text) as State;
  const { state = before, events = [], replies = [] } = stepOf(before, message);
  return { state: JSON.stringify(state), events, replies };
}

export function encode(text: string, { recordId, body }: Order): Encoded {
  const { thread, turn } = JSON.parse(text) as State;
  const plain = (record: string): Encoded => ({ record, pinned: null });
  switch (body.kind) {
    case 'record':
      return plain(body.record);
    case 'end':
      return plain(request(recordId, 'session/end', {}));
    case 'allow':
      return plain(response(body.requestId, { behavior: 'allow', input: body.input }));
    case 'deny':
      return plain(response(body.requestId, { behavior: 'deny', message: body.message }));
    case 'toolAnswer':
      return plain(response(body.requestId, { text: body.text, isError: body.isError }));
    case 'round':
      return plain(response(body.requestId, { goOn: body.goOn }));
    case 'interrupt':
      if (thread === null || turn === null) return 'notYet';
      return {
        record: request(recordId, 'turn/interrupt', { threadId: thread, turnId: turn }),
        pinned: pin({ thread, turn }),
      };
    case 'compact':
      if (thread === null) return 'notYet';
      return { record: request(recordId, 'thread/compact', { threadId: thread }), pinned: pin({ thread }) };
    case 'text':
      if (thread === null) return 'notYet';
      return {
        record: request(recordId, 'turn/start', { threadId: thread, input: body.text }),
        pinned: pin({ thread }),
      };
  }
}

export function request(id: string, method: string, params: object): string {
  return `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
}

function response(requestId: string, result: object): string {
  return `${JSON.stringify({ jsonrpc: '2.0', id: Number(requestId), result })}\n`;
}

function pin(carried: Partial<State>): string {
  return JSON.stringify({ ...start, ...carried });
}

function stepOf(state: State, message: Message): Step {
  const { id, method, params } = message;
  if (method === undefined) return readAnswer(state, String(id), message);
  if (id !== undefined) return { events: askedBy(String(id), method, params) };
  switch (method) {
    case 'item/text':
      return answeredBy(state, [{ kind: 'text', text: params.text, within: null }]);
    case 'item/toolCall': {
      const { callId, tool, input } = params;
      const calls = { ...state.calls, [callId]: `${tool}: ${JSON.stringify(input).slice(0, 100)}` };
      return answeredBy({ ...state, calls }, [
        { kind: 'toolCall', id: callId, tool, what: callWords(tool, input), input, within: null },
      ]);
    }
    case 'item/toolResult': {
      const { [params.callId]: _over, ...calls } = state.calls;
      const { callId, isError, text } = params;
      return { state: { ...state, calls }, events: [{ kind: 'toolResult', id: callId, isError, text }] };
    }
    case 'service/retry':
      return { events: [readRetry(params)] };
    case 'request/cancelled':
      return { events: [{ kind: 'withdrawn', requestId: String(params.id) }] };
    case 'turn/completed':
      return endTurn(state, params);
    default:
      return {};
  }
}

function readAnswer(state: State, id: string, { result, error }: Message): Step {
  if (error !== undefined) {
    if (id === 'thread' && state.resume !== null) return { events: [{ kind: 'sessionLost' }] };
    return { events: [{ kind: 'error', code: 'rpc', text: error.message }] };
  }
  if (id === 'initialize') {
    const { resume } = state;
    const open =
      resume === null
        ? request('thread', 'thread/start', {})
        : request('thread', 'thread/resume', { threadId: resume });
    return { replies: [open] };
  }
  if (id === 'thread' && result !== undefined) {
    const thread = result.thread.id;
    return { state: { ...state, thread }, events: [{ kind: 'session', session: thread }] };
  }
  if (result?.turn === undefined) return {};
  return { state: { ...state, turn: result.turn.id }, events: [{ kind: 'delivered', recordId: id as RecordId }] };
}

function askedBy(requestId: string, method: string, params: Params): AgentEvent[] {
  switch (method) {
    case 'permission/request':
      return [{ kind: 'permissionRequest', requestId, tool: params.tool, input: params.input }];
    case 'tool/call': {
      const { tool, arguments: input } = params;
      return [
        { kind: 'toolServerCall', requestId, rpcId: requestId, server: 'signalbox', tool, input, toolUseId: null },
      ];
    }
    case 'round/check':
      return [{ kind: 'round', requestId }];
    default:
      return [];
  }
}

/** The model has spoken. */
function answeredBy(state: State, events: readonly AgentEvent[]): Step {
  return state.answered
    ? { state, events }
    : { state: { ...state, answered: true }, events: [{ kind: 'answered' }, ...events] };
}

interface Completed {
  readonly status: 'completed' | 'failed';
  readonly text: string;
  readonly usage: readonly { readonly input: number; readonly output: number; readonly costMicroUsd: number }[];
  readonly output?: unknown;
  readonly failure: { readonly reason: string; readonly message: string };
}

function endTurn(state: State, completed: Completed): Step {
  const after = { ...state, turn: null, calls: {} };
  const told = [...usageEvents(completed), ...('output' in completed ? [structured(completed.output)] : [])];
  if (completed.status === 'completed') {
    const turn: Turn = { kind: 'ok', text: completed.text, cut: false };
    const { state: final = after, events = [] } = answeredBy(after, [...told, { kind: 'turnEnded', turn }]);
    return { state: final, events };
  }
  const { reason, message: detail } = completed.failure;
  const failure = { reason: reasons[reason] ?? 'crash', detail } as const;
  const limit = reason === 'rate-limit' ? 'rate' : reason === 'unavailable' ? 'unavailable' : null;
  const limited: AgentEvent[] = limit === null ? [] : [{ kind: 'limited', limit, untilMs: null }];
  return {
    state: limit === null ? after : { ...after, answered: false },
    events: [...told, ...limited, { kind: 'turnEnded', turn: { kind: 'failed', failure } }],
  };
}

const reasons: Readonly<Record<string, 'rate-limit' | 'unavailable' | 'stopped'>> = {
  'rate-limit': 'rate-limit',
  unavailable: 'unavailable',
  interrupted: 'stopped',
};

function readRetry({ attempt, attemptsMax, delayMs, httpStatus: status }: Params): AgentEvent {
  return { kind: 'retry', attempt, attemptsMax, delayMs, status };
}

function structured(value: unknown): AgentEvent {
  return { kind: 'structured', value };
}

function usageEvents({ usage }: Completed): AgentEvent[] {
  if (usage.length === 0) return [];
  const sum = (of: 'input' | 'output' | 'costMicroUsd'): number => usage.reduce((all, each) => all + each[of], 0);
  const [inputTokens, outputTokens, costMicroUsd] = [sum('input'), sum('output'), sum('costMicroUsd')];
  const cache = { cacheReadTokens: 0, cacheWriteTokens: 0 };
  return [
    { kind: 'usage', model: 'rpc', usage: { inputTokens, outputTokens, ...cache, costMicroUsd, turns: usage.length } },
  ];
}

function parse(line: string): Message | null {
  try {
    const message: unknown = JSON.parse(line);
    return typeof message === 'object' && message !== null ? (message as Message) : null;
  } catch {
    return null;
  }
}
