// Which of our records the agent has read. It names them by uuid; a receipt that we request with each record tells which uuid
// is which record.

import type { RecordId } from '../../model/core/ids.ts';
import type { AgentEvent } from '../../model/session/agent-fact.ts';
import { derivedUuid } from '../derived-uuid.ts';
import { nameIn, type State, withName, withoutName } from './state.ts';
import { nothing, type Step } from './step.ts';
import { readSums } from './turn-usage.ts';
import { type Json, nameOrNull, objectIn, textIn } from './untrusted-json.ts';
import { windowByResult } from './window.ts';

/** Ids of our requests whose answers the codec reads. */
export const receiptPrefix = 'received:';
export const sumsRequest = 'sums';
export const windowRequest = 'window';

const namelessMax = 16;
const requestIdMax = 300;

/** An echo of one of our records, printed at the moment the agent reads it. */
export function readAck(state: State, message: Json): Step {
  const uuid = nameOrNull(message['uuid']);
  if (uuid === null) return nothing;
  const asked = { ...state, asked: true };
  if (uuid.startsWith('record_')) return { state: asked, events: [delivered(uuid)] };
  const name = nameIn(state.names, uuid);
  if (name === undefined) {
    // Its receipt is still to come, or the record is not ours.
    return { state: { ...state, nameless: [...state.nameless, uuid].slice(-namelessMax) }, events: [] };
  }
  return { state: { ...asked, names: withoutName(state.names, uuid) }, events: [delivered(name)] };
}

export function readResponse(state: State, response: Json): Step {
  const requestId = textIn(response['request_id']).slice(0, requestIdMax);
  const session = objectIn(objectIn(response['response'])['session']);
  if (requestId === windowRequest) {
    const windows = windowByResult({ modelUsage: session['model_usage'] });
    return state.asked ? windows.map((each) => ({ ...each, inTurn: true })) : windows;
  }
  if (requestId === sumsRequest) {
    // Only before the first turn are these the sums at this process's start.
    const early = state.sums === null && state.version === null;
    const sums = early ? readSums(session) : null;
    return sums === null ? nothing : { state: { ...state, sums }, events: [] };
  }
  if (!requestId.startsWith(receiptPrefix)) return nothing;
  const name = requestId.slice(receiptPrefix.length);
  const uuid = derivedUuid(name);
  if (!state.nameless.includes(uuid))
    return { state: { ...state, names: withName(state.names, uuid, name) }, events: [] };
  const nameless = state.nameless.filter((each) => each !== uuid);
  return { state: { ...state, nameless, asked: true }, events: [delivered(name)] };
}

function delivered(name: string): AgentEvent {
  return { kind: 'delivered', recordId: name as RecordId };
}
