// Requests to the model, counted by the ids of its answers: a result's own count of turns includes tool results.

import type { MeteredRequest } from '../../ports/harness.ts';
import { nameIn, parseState, type State, withName } from './state.ts';
import { modelName, tokensOf } from './turn-usage.ts';
import { type Json, objectIn, textOrNull } from './untrusted-json.ts';

/** An answer comes in several lines, and lines of several answers may be mixed. */
const recentMax = 6;
const idMax = 100;

/** The state after a line of an answer. */
export function withRequest(state: State, { id, model, usage }: Json): State {
  if (typeof id !== 'string' || id === '' || id.length > idMax || state.recent.includes(id)) return state;
  const name = modelName(textOrNull(model) ?? state.model ?? '');
  const count = (nameIn(state.requests, name) ?? 0) + 1;
  const requests = name === '' ? state.requests : withName(state.requests, name, count);
  const newest = { id, model: name, tokens: tokensOf(objectIn(usage)) };
  return { ...state, recent: [...state.recent, id].slice(-recentMax), newest, requests };
}

/** The newest request, with a lower bound of its usage: its output is reported when it has ended. null = none yet. */
export function newestRequest(text: string): MeteredRequest | null {
  const { newest } = parseState(text);
  if (newest === null) return null;
  const [inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens] = newest.tokens;
  const usage = { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, costMicroUsd: null, turns: 1 };
  return { id: newest.id, whole: false, model: newest.model === '' ? null : newest.model, usage };
}
