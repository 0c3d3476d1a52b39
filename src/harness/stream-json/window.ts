// The size of an agent's context window, as far as its stream reports it: by the name of its model, or by a result's list of
// used models. If in doubt it is not reported.

import type { AgentEvent } from '../../model/session/agent-fact.ts';
import { countIn, type Json, objectIn, textIn } from './untrusted-json.ts';

type Window = Extract<AgentEvent, { kind: 'window' }>;

/** The CLI marks models of a million tokens in their names; other names say nothing reliable about it. */
export function windowByName(init: Json): Window[] {
  const tokens = windowOf(textIn(init['model']));
  return tokens === null ? [] : [{ kind: 'window', tokens }];
}

export function windowOf(model: string): number | null {
  return /\[1m\]$/i.test(model) ? 1_000_000 : null;
}

/** Subagents may use other models: then it is unknown whose window is meant. */
export function windowByResult(result: Json): Window[] {
  const sizes = new Set(
    Object.values(objectIn(result['modelUsage'])).map((used) => countIn(objectIn(used)['contextWindow'])),
  );
  const [only] = sizes;
  return only !== undefined && only > 0 && sizes.size === 1 ? [{ kind: 'window', tokens: only }] : [];
}
