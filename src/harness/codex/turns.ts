// A turn from its beginning to its end: what it is let pass, how it ended, what it gave.

import { type AgentEvent, type Turn, turnTextMax } from '../../model/session/agent-fact.ts';
import { type Json, listIn, objectIn, parseLine, textIn, textOrNull } from '../stream-json/untrusted-json.ts';
import { givePass, roundName, setGate } from './gate.ts';
import { limitOfFailure, reasonOf } from './service-limits.ts';
import { betweenTurns, type State } from './state.ts';
import { nothing, type Step } from './step.ts';
import { usageOfTurn } from './usage.ts';

export function beginTurn(state: State, turn: string | null): Step {
  if (turn === null || turn === state.turn) return nothing;
  return {
    state: { ...state, turn, rounds: 0, isPaused: false, said: '' },
    events: [{ kind: 'text', text: '', within: null }],
  };
}

/** Before a request to the model. The first of a turn is let pass: whether there is a turn was decided before. */
export function askRound(state: State): Step {
  const { thread, turn, brake, dir, rounds: nth } = state;
  if (thread === null || turn === null || (!brake && !state.isShut)) return nothing;
  const after = { ...state, rounds: nth + 1 };
  if (brake && nth === 0) return { state: after, replies: [givePass(`pass:${turn}`, dir)] };
  return { state: after, events: [{ kind: 'round', requestId: roundName({ thread, turn, nth, brake }) }] };
}

export function endTurn(before: State, completed: Json): Step {
  const { state: booked, events: used } = usageOfTurn(before);
  const turn = turnOf(booked, completed);
  const events: AgentEvent[] = [...used];
  const last = lastMessage(completed) ?? booked.said;
  if (turn.kind === 'ok' && !booked.compacts) {
    if (last.length >= saidMin) events.push({ kind: 'said', text: last });
    if (booked.typed) events.push(...structuredIn(last));
  }
  const told = turn.kind === 'failed' ? limitOfFailure(booked, turn.failure.reason) : { state: booked, events: [] };
  // The gate is opened for the turn that follows.
  const replies = booked.isShut ? [setGate(`open:${booked.turn}`, booked.dir, 'open')] : [];
  return {
    state: { ...told.state, ...betweenTurns },
    events: [...events, ...told.events, { kind: 'turnEnded', turn }],
    replies,
  };
}

/** What is shorter stands in the turn itself. */
const saidMin = 1_000;

function turnOf(state: State, completed: Json): Turn {
  const status = completed['status'];
  // Ended by us between two requests, or by a compaction: it has nothing to say.
  if (status === 'interrupted' && state.isPaused) return { kind: 'ok', text: '', cut: false };
  if (status === 'interrupted') {
    return { kind: 'failed', failure: { reason: 'stopped', detail: 'the turn was interrupted' } };
  }
  if (status === 'completed') {
    const text = state.compacts ? '' : (lastMessage(completed) ?? state.said);
    return { kind: 'ok', text: text.slice(0, turnTextMax), cut: text.length > turnTextMax };
  }
  const error = objectIn(completed['error']);
  const detail = (textIn(error['message']) || 'the turn failed without a reason').slice(0, turnTextMax);
  return { kind: 'failed', failure: { reason: reasonOf(error), detail } };
}

function lastMessage(completed: Json): string | null {
  const messages = listIn(completed['items'])
    .map(objectIn)
    .filter((item) => item['type'] === 'agentMessage');
  return textOrNull(messages.at(-1)?.['text']);
}

/** The answer by a schema is the last message. Models put it between fences now and then. */
function structuredIn(text: string): AgentEvent[] {
  const bare = /^\s*```(?:json)?\s*\n([^]*?)\n\s*```\s*$/.exec(text)?.[1] ?? text;
  const parsed = parseLine(`{"value":${bare}}`);
  return parsed === null || parsed.isCut ? [] : [{ kind: 'structured', value: parsed.object['value'] }];
}
