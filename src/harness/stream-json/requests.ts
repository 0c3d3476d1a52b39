// Requests to the model, counted by the ids of its answers: a result's own count of turns counts tool results as well.

import { type Json, textOrNull } from './json.ts';
import { nameIn, parseState, type State, withName } from './state.ts';
import { modelName } from './usage.ts';

/** An answer comes in several lines, and those of several answers in any order. */
const recentMax = 6;
const idMax = 100;

/** The state after a line of an answer. */
export function withRequest(state: State, { id, model }: Json): State {
  if (typeof id !== 'string' || id === '' || id.length > idMax || state.recent.includes(id)) return state;
  const name = modelName(textOrNull(model) ?? state.model ?? '');
  const count = (nameIn(state.requests, name) ?? 0) + 1;
  const requests = name === '' ? state.requests : withName(state.requests, name, count);
  return { ...state, recent: [...state.recent, id].slice(-recentMax), requests };
}

/** The newest answer of the model; null = none yet. */
export function lastRequest(text: string): string | null {
  return parseState(text).recent.at(-1) ?? null;
}
