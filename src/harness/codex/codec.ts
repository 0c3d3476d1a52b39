// The protocol of `codex app-server`: JSON-RPC, one object per line in both directions. Pure. Methods that are not known are passed over:
// every version brings new ones.
//
// A thread has one turn at a time. Ids of our requests derive from the orders that they carry; a message of ours comes back by the name
// that it was sent with when it has been taken up.

import type { RecordId } from '../../model/core/ids.ts';
import { type AgentEvent, turnTextMax } from '../../model/session/agent-fact.ts';
import type { ReadStep } from '../../ports/harness.ts';
import {
  type Json,
  listIn,
  nameOrNull,
  objectIn,
  parseLine,
  textIn,
  textOrNull,
} from '../stream-json/untrusted-json.ts';
import { gateCommand } from './gate.ts';
import { readCompleted, readStarted } from './items.ts';
import { compactPrefix, endRecord, pausePrefix } from './orders.ts';
import type { NotificationMethod } from './protocol.ts';
import { requestIdOf } from './records.ts';
import { callEvent, readRequest } from './requests.ts';
import { readRateLimits, readRetry, reasonOf } from './service-limits.ts';
import { formatState, nameIn, parseState, type State, withoutName } from './state.ts';
import { excerptMax, nothing, type Step } from './step.ts';
import { askRound, beginTurn, endTurn } from './turns.ts';
import { readTokenUsage } from './usage.ts';

/** Ids of requests that every launch begins with. */
export const openRequest = 'open';
export const hooksRequest = 'hooks';

/** What Codex calls the moment before a request to the model. */
const beforeRequest = 'preModelRequest';

const objectStart = /^\s*\{/;

export function createReader(parkingTools: readonly string[]): (state: string, line: string) => ReadStep {
  return (text, line) => {
    if (line === '') return { state: text, events: [], replies: [] };
    const parsed = objectStart.test(line) ? parseLine(line) : null;
    if (parsed === null)
      return { state: text, events: [{ kind: 'garbage', text: line.slice(0, excerptMax) }], replies: [] };
    const before = parseState(text);
    const { object: message, isCut } = parsed;
    const { state = before, events = [], replies = [] } = stepOf(before, message, parkingTools, isCut);
    return { state: state === before ? text : formatState(state), events, replies };
  };
}

function stepOf(state: State, message: Json, parkingTools: readonly string[], isCut: boolean): Step {
  const { method, id } = message;
  if (method === undefined) return id === undefined ? nothing : readAnswer(state, textIn(id), message);
  if (id !== undefined) return readRequest(state, message, parkingTools, isCut);
  return readNotification(state, textIn(method) as NotificationMethod, objectIn(message['params']));
}

function readNotification(state: State, method: NotificationMethod, params: Json): Step {
  if (method === 'account/rateLimits/updated') return readRateLimits(state, objectIn(params['rateLimits']));
  // Threads of its own agents have turns of their own.
  if (state.thread === null || params['threadId'] !== state.thread) return nothing;
  switch (method) {
    case 'turn/started':
      return beginTurn(state, nameOrNull(objectIn(params['turn'])['id']));
    case 'turn/completed':
      return endTurn(state, objectIn(params['turn']));
    case 'item/started':
      return readStarted(state, objectIn(params['item']));
    case 'item/completed':
      return readCompleted(state, objectIn(params['item']));
    case 'hook/started':
      return objectIn(params['run'])['eventName'] === beforeRequest ? askRound(state) : nothing;
    case 'thread/tokenUsage/updated':
      return readTokenUsage(state, objectIn(params['tokenUsage']));
    case 'serverRequest/resolved': {
      const requestId = requestIdOf(params['requestId']);
      return requestId === null ? nothing : { events: [{ kind: 'withdrawn', requestId }] };
    }
    case 'error':
      return readError(state, params);
    default:
      return nothing;
  }
}

function readError(state: State, params: Json): Step {
  const error = objectIn(params['error']);
  // One that is not met by trying again comes back with the end of the turn.
  if (params['willRetry'] === true) return readRetry(state, error);
  return { events: [{ kind: 'error', code: reasonOf(error), text: textIn(error['message']).slice(0, turnTextMax) }] };
}

/** The answer to a request of ours. */
function readAnswer(state: State, id: string, message: Json): Step {
  const result = objectIn(message['result']);
  const failed = message['error'] !== undefined;
  if (id === openRequest) return failed ? openFailed(state, message) : opened(state, result);
  if (id === hooksRequest) return failed ? nothing : readHooks(result);
  const gated = nameIn(state.gated, id);
  if (gated !== undefined)
    return { state: { ...state, gated: withoutName(state.gated, id) }, events: [callEvent(gated)] };
  if (id.startsWith(pausePrefix)) return failed ? nothing : { state: { ...state, isPaused: true } };
  if (id.startsWith(compactPrefix)) {
    const recordId = id.slice(compactPrefix.length) as RecordId;
    if (failed) return refused(state, message);
    return { state: { ...state, compacts: true }, events: [{ kind: 'delivered', recordId }] };
  }
  if (!id.startsWith('record_')) return nothing;
  if (failed) return refused(state, message);
  // A turn may be interrupted before it says that it has begun.
  const turn = nameOrNull(objectIn(result['turn'])['id']);
  return turn === null ? nothing : beginTurn(state, turn);
}

function opened(state: State, result: Json): Step {
  const thread = nameOrNull(objectIn(result['thread'])['id']);
  if (thread === null) return openFailed(state, {});
  const model = textOrNull(result['model'])?.slice(0, excerptMax) ?? null;
  return { state: { ...state, thread, model }, events: [{ kind: 'session', session: thread }] };
}

/** Nothing can be said to it: it ends, and the engine sees what is left. */
function openFailed(state: State, message: Json): Step {
  const text = errorText(message);
  const lost: AgentEvent[] =
    state.resumes && /no rollout|not found|no thread/i.test(text) ? [{ kind: 'sessionLost' }] : [];
  return { events: [...lost, { kind: 'error', code: 'thread', text }], replies: [endRecord('end')] };
}

/** A message that Codex refused outright is answered by nothing else. */
function refused(state: State, message: Json): Step {
  const detail = `Codex refused a message: ${errorText(message)}`;
  const events: AgentEvent[] = [{ kind: 'error', code: 'refused', text: detail }];
  if (state.turn === null)
    events.push({ kind: 'turnEnded', turn: { kind: 'failed', failure: { reason: 'crash', detail } } });
  return { events };
}

function errorText(message: Json): string {
  return (textIn(objectIn(message['error'])['message']) || 'no reason given').slice(0, turnTextMax);
}

/** Codex skips a hook that nobody reviewed, and says so nowhere else. */
function readHooks(result: Json): Step {
  const hooks = listIn(result['data']).flatMap((entry) => listIn(objectIn(entry)['hooks']).map(objectIn));
  const ours = hooks.find((hook) => hook['command'] === gateCommand);
  if (ours !== undefined && ours['trustStatus'] === 'trusted') return nothing;
  const text =
    'this version of Codex does not run the hook by which Signalbox ends turns between two requests to the model';
  return { events: [{ kind: 'error', code: 'hook', text }] };
}
