// Claude Code's stream-json: one JSON object per line in both directions. Pure. Lines of unknown types are ignored: every
// version brings new ones.
//
// A turn ends when the agent is idle and has no background work. Agents that never report being idle end their turn with the
// result line.

import type { AgentEvent, Turn } from '../../model/session/agent-fact.ts';
import type { ReadStep } from '../../ports/harness.ts';
import { readAck, readResponse, windowRequest } from './acks.ts';
import { readTask } from './background-work.ts';
import { type Answered, type Host, readRequest } from './control.ts';
import { requestFrame } from './order-records.ts';
import { blockedBy, withAsk, withoutAsk } from './permission-requests.ts';
import { isSessionLost, readTurn } from './result.ts';
import { limitOfFailure, readRateLimit, readRetry } from './service-limits.ts';
import { formatState, hasBackground, parseState, type State } from './state.ts';
import { excerptMax, nothing, type Step } from './step.ts';
import { readAssistant, readToolResults } from './turn-content.ts';
import { modelName, readUsage } from './turn-usage.ts';
import { countIn, type Json, nameOrNull, objectIn, parseLine, textIn, textOrNull } from './untrusted-json.ts';
import { windowByName, windowByResult } from './window.ts';

export { receiptPrefix, sumsRequest } from './acks.ts';
export { parkingHooks, roundHooks } from './control.ts';
export { newestRequest } from './model-requests.ts';
export { inFlightIn } from './open-calls.ts';
export { encodeOrder } from './order-records.ts';
export { initialState } from './state.ts';

const objectStart = /^\s*\{/;
const noReplies: readonly string[] = [];

/** By then the agent knows it: its own model has answered. */
const windowFrame = requestFrame(windowRequest, { subtype: 'get_usage' });

function isOwnCall(event: AgentEvent): boolean {
  return event.kind === 'toolCall' && event.within === null;
}

export function createReader(host: Host): (state: string, line: string) => ReadStep {
  return (text, line) => {
    // Parts of a message that follows whole: not worth parsing.
    if (line === '' || line.startsWith('{"type":"stream_event"'))
      return { state: text, events: [], replies: noReplies };
    // Trying to parse what is plainly no object takes ten times as long, and an agent can print a million such lines.
    const parsed = objectStart.test(line) ? parseLine(line) : null;
    if (parsed === null) {
      return { state: text, events: [{ kind: 'garbage', text: line.slice(0, excerptMax) }], replies: noReplies };
    }
    const { object: message, isCut } = parsed;
    if (message['type'] === 'control_request') return readAsk(text, message, readRequest(host, message, isCut));
    const before = parseState(text);
    const step = readMessage(before, isCut ? withoutOutput(message) : message);
    const [state, said] = 'state' in step ? [step.state, step.events] : [before, step];
    const events = state === before ? said : [...said, ...blockedBy(before, state)];
    if (host.asksWindow !== true || state.windowAsked || !events.some(isOwnCall))
      return { state: state === before ? text : formatState(state), events, replies: noReplies };
    return { state: formatState({ ...state, windowAsked: true }), events, replies: [windowFrame] };
  };
}

/** A typed output that was cut is dropped; the other fields of the line are still read. */
function withoutOutput(message: Json): Json {
  return 'structured_output' in message ? { ...message, structured_output: undefined } : message;
}

function readAsk(text: string, message: Json, { events, replies }: Answered): ReadStep {
  const [asked] = events;
  if (asked?.kind !== 'permissionRequest') return { state: text, events, replies };
  const before = parseState(text);
  const state = withAsk(before, asked.requestId, nameOrNull(objectIn(message['request'])['tool_use_id']));
  return { state: formatState(state), events: [...events, ...blockedBy(before, state)], replies };
}

/** For agents without our tools. */
export const readLine = createReader({ tools: [] });

/** A result that was printed counts even if the agent died before it was idle. A lost process has no result. */
export function endedTurn(text: string, status: number | null): Turn | null {
  return status === null ? null : parseState(text).held;
}

function readMessage(state: State, message: Json): Step {
  switch (message['type']) {
    case 'assistant':
      return readAssistant(state, message);
    case 'user':
      return message['isReplay'] === true ? readAck(state, message) : readToolResults(state, message);
    case 'system':
      return readSystem(state, message);
    case 'result':
      return readResult(state, message);
    case 'control_response':
      return readResponse(state, objectIn(message['response']));
    case 'control_cancel_request':
      return readWithdrawal(state, nameOrNull(message['request_id']) ?? '');
    case 'rate_limit_event':
      return readRateLimit(state, objectIn(message['rate_limit_info']));
    default:
      return nothing;
  }
}

function readWithdrawal(state: State, requestId: string): Step {
  return { state: withoutAsk(state, requestId), events: [{ kind: 'withdrawn', requestId }] };
}

function readSystem(state: State, message: Json): Step {
  switch (message['subtype']) {
    case 'init':
      return readInit(state, message);
    case 'session_state_changed':
      return readActivity(state, message['state'] === 'idle');
    case 'api_retry':
      return readRetry(state, message);
    case 'compact_boundary': {
      const { trigger, pre_tokens: before, post_tokens: after } = objectIn(message['compact_metadata']);
      const [tokensBefore, tokensAfter] = [countIn(before), countIn(after)];
      return [{ kind: 'compaction', trigger: textIn(trigger).slice(0, excerptMax), tokensBefore, tokensAfter }];
    }
    case 'task_started':
    case 'task_updated':
    case 'task_notification': {
      const step = readTask(state, message);
      return step === null ? nothing : afterTask(step.state, step.events);
    }
    default:
      return nothing;
  }
}

function readInit(state: State, message: Json): Step {
  const session = nameOrNull(message['session_id']);
  const named: AgentEvent[] = session === null ? [] : [{ kind: 'session', session }];
  const windows = windowByName(message);
  const events = [...named, ...windows];
  const windowAsked = state.windowAsked || windows.length > 0;
  const version = textOrNull(message['claude_code_version'])?.slice(0, excerptMax) ?? state.version;
  const model = textOrNull(message['model'])?.slice(0, excerptMax) ?? state.model;
  if (version === state.version && model === state.model && windowAsked === state.windowAsked) return events;
  return { state: { ...state, version, model: model === null ? null : modelName(model), windowAsked }, events };
}

function readResult(state: State, message: Json): Step {
  const { parts, sums } = readUsage(state, message);
  const used = parts.map((part): AgentEvent => ({ kind: 'usage', ...part }));
  const events: AgentEvent[] = [...used, ...windowByResult(message)];
  if (isSessionLost(message)) events.push({ kind: 'sessionLost' });
  if ('structured_output' in message) events.push({ kind: 'structured', value: message['structured_output'] });
  const turn = readTurn(state, message);
  const text = textIn(message['result']);
  if (turn.kind === 'ok' && text.length >= saidMin) events.push({ kind: 'said', text });
  // Later results of the same prompt, for background work that ended, may have no text.
  const held = turn.kind === 'ok' && turn.text === '' && state.held !== null ? state.held : turn;
  const told = turn.kind === 'failed' ? limitOfFailure(state, turn.failure.reason) : { state, events: [] };
  const after = { ...told.state, sums, held, complaint: null, refused: null, requests: {} };
  events.push(...told.events);
  if (state.tellsIdle || hasBackground(state)) return { state: after, events };
  return endTurn(after, events);
}

/** A shorter text is in the turn itself. */
const saidMin = 1_000;

function readActivity(state: State, idle: boolean): Step {
  const after = { ...state, tellsIdle: true, idle };
  if (!idle || hasBackground(state)) return { state: after, events: [] };
  if (state.held !== null) return endTurn(after, []);
  if (!state.asked) return { state: after, events: [] };
  // Happens only if a record had reached an earlier process already: it is acknowledged and nothing follows.
  const detail = 'the agent went idle without a result';
  return endTurn({ ...after, held: { kind: 'failed', failure: { reason: 'crash', detail } } }, []);
}

/** Background work that was stopped starts no turn, unlike work that ended. */
function afterTask(state: State, events: readonly AgentEvent[]): Step {
  const stopped = events.some((event) => event.kind === 'backgroundEnded' && /^(stopped|killed)$/.test(event.status));
  return stopped && state.idle && state.held !== null && !hasBackground(state)
    ? endTurn(state, events)
    : { state, events };
}

function endTurn(state: State, events: readonly AgentEvent[]): Step {
  if (state.held === null) return { state, events };
  const after = { ...state, held: null, asked: false, calls: {}, asks: {}, within: {} };
  return { state: after, events: [...events, { kind: 'turnEnded', turn: state.held }] };
}
