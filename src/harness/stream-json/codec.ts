// Claude Code's stream-json, as far as it changes state: one JSON object per line in both directions. Pure.
// It judges by `is_error`, never by `subtype`: a failed API call ends in subtype "success".

import { type AgentFact, type Turn, turnTextMax } from '../../model/agent-fact.ts';
import type { FailureReason } from '../../model/failure.ts';
import type { MessageId } from '../../model/ids.ts';
import type { Order } from '../harness.ts';

/** The cost is told as a sum over the process: what was seen of it, in millionths of a dollar. */
interface State {
  readonly costMicroUsd: number;
}

export const initialState = JSON.stringify({ costMicroUsd: 0 } satisfies State);

export function readLine(state: string, line: string): { state: string; facts: readonly AgentFact[] } {
  const message = parse(line);
  if (message === null) return { state, facts: [] };
  if (message['type'] === 'result') return readResult(state, message);
  return { state, facts: readOther(message) };
}

export function encodeOrder(order: Order): string {
  return `${JSON.stringify(frame(order))}\n`;
}

function frame({ messageId, body }: Order): unknown {
  switch (body.kind) {
    case 'text':
      return { type: 'user', message: { role: 'user', content: body.text }, uuid: messageId };
    case 'interrupt':
      return { type: 'control_request', request_id: messageId, request: { subtype: 'interrupt' } };
    case 'end':
      return { type: 'control_request', request_id: messageId, request: { subtype: 'end_session' } };
  }
}

function readOther(message: Json): AgentFact[] {
  const { type, subtype, session_id: session, isReplay, uuid } = message;
  if (type === 'system' && subtype === 'init' && typeof session === 'string') return [{ kind: 'session', session }];
  if (type === 'user' && isReplay === true && typeof uuid === 'string') {
    return [{ kind: 'delivered', messageId: uuid as MessageId }];
  }
  return [];
}

function readResult(state: string, message: Json): { state: string; facts: AgentFact[] } {
  const before = (JSON.parse(state) as State).costMicroUsd;
  const total = message['total_cost_usd'];
  const now = typeof total === 'number' && Number.isFinite(total) ? Math.round(total * 1e6) : null;
  const usage = isObject(message['usage']) ? message['usage'] : {};
  const facts: AgentFact[] = [
    {
      kind: 'usage',
      usage: {
        inputTokens: count(usage['input_tokens']),
        outputTokens: count(usage['output_tokens']),
        cacheReadTokens: count(usage['cache_read_input_tokens']),
        cacheWriteTokens: count(usage['cache_creation_input_tokens']),
        // A sum that shrank is no sum: what this turn cost is then unknown.
        costMicroUsd: now === null || now < before ? null : now - before,
      },
    },
    { kind: 'turnEnded', turn: readTurn(message) },
  ];
  return { state: JSON.stringify({ costMicroUsd: now ?? before } satisfies State), facts };
}

function readTurn(message: Json): Turn {
  const text = typeof message['result'] === 'string' ? message['result'] : '';
  if (message['is_error'] === false)
    return { kind: 'ok', text: text.slice(0, turnTextMax), cut: text.length > turnTextMax };
  const detail = text === '' ? `the turn ended with ${String(message['subtype'])}` : text.slice(0, turnTextMax);
  return { kind: 'failed', failure: { reason: failureReason(message), detail } };
}

function failureReason(message: Json): FailureReason {
  if (message['subtype'] === 'error_max_turns') return 'max-turns';
  if (message['subtype'] === 'error_max_budget_usd') return 'budget';
  if (message['subtype'] === 'error_max_structured_output_retries') return 'invalid-output';
  if (message['terminal_reason'] === 'prompt_too_long') return 'context-overflow';
  switch (message['api_error_status']) {
    case 429:
      return 'rate-limit';
    case 401:
    case 403:
      return 'auth';
    case 413:
      return 'context-overflow';
    default:
      return 'crash';
  }
}

type Json = Readonly<Record<string, unknown>>;

function parse(line: string): Json | null {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function count(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0;
}
