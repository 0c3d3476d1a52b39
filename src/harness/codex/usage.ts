// What a turn used: Codex tells after every request what its thread has used in all. It tells no cost.

import type { AgentEvent } from '../../model/session/agent-fact.ts';
import type { MeteredRequest } from '../../ports/harness.ts';
import { countIn, type Json, objectIn } from '../stream-json/untrusted-json.ts';
import type { State, Tally } from './state.ts';
import { nothing, type Step } from './step.ts';

export function readTokenUsage(state: State, tokenUsage: Json): Step {
  const total = tallyOf(objectIn(tokenUsage['total']));
  const last = objectIn(tokenUsage['last']);
  // A thread that is taken up again tells its sums before its first turn.
  if (state.turn === null) return { state: { ...state, total } };
  const more = state.total === null ? tallyOf(last) : minus(total, state.total);
  if (sumOf(more) === 0) return nothing;
  const used = state.used === null ? more : plus(state.used, more);
  const window = countIn(tokenUsage['modelContextWindow']);
  const events: AgentEvent[] = [{ kind: 'context', tokens: countIn(last['inputTokens']) }];
  if (window > 0 && window !== state.window) events.push({ kind: 'window', tokens: window, inTurn: true });
  const requests = state.requests + 1;
  const after = { ...state, total, used, requests, last: more, window: window > 0 ? window : state.window };
  return { state: after, events };
}

/** At the end of a turn. A turn without a request has used nothing. */
export function usageOfTurn(state: State): { readonly state: State; readonly events: readonly AgentEvent[] } {
  if (state.used === null) return { state, events: [] };
  const usage = { ...usageOf(state.used), turns: state.requests };
  return { state: { ...state, used: null, requests: 0 }, events: [{ kind: 'usage', model: state.model, usage }] };
}

/** The request that the session's own record must hold before anybody counts. */
export function awaitedRequest({ total, last, model }: State): MeteredRequest | null {
  if (total === null || last === null) return null;
  return { id: requestName(sumOf(total)), whole: true, model, usage: usageOf(last) };
}

/** A request goes by what its thread had used with it: that is told on both sides, and grows with each. */
export function requestName(totalTokens: number): string {
  return `total ${totalTokens}`;
}

/** One tally of Codex's own, where the input holds what was cached. */
export function tallyOf(tokens: Json, names: TallyNames = camelCase): Tally {
  const [input, output] = [countIn(tokens[names.input]), countIn(tokens[names.output])];
  const [read, written] = [countIn(tokens[names.cached]), countIn(tokens[names.written])];
  return [Math.max(0, input - read - written), output, read, written];
}

export interface TallyNames {
  readonly input: string;
  readonly output: string;
  readonly cached: string;
  readonly written: string;
}

const camelCase: TallyNames = {
  input: 'inputTokens',
  output: 'outputTokens',
  cached: 'cachedInputTokens',
  written: 'cacheWriteInputTokens',
};

export function usageOf([inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens]: Tally) {
  return { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, costMicroUsd: null, turns: 1 };
}

export function sumOf(tally: Tally): number {
  return tally.reduce((sum, count) => sum + count, 0);
}

function plus(a: Tally, b: Tally): Tally {
  return [a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3]];
}

function minus(a: Tally, b: Tally): Tally {
  const rest = (at: 0 | 1 | 2 | 3): number => Math.max(0, a[at] - b[at]);
  return [rest(0), rest(1), rest(2), rest(3)];
}
