// How large an agent's context window is, as far as its stream tells: by the name of its model, or by what a result says of
// the models that were used. What is in doubt is not told.

import type { AgentEvent } from '../../model/session/agent-fact.ts';
import { countIn, type Json, objectIn, textIn } from './untrusted-json.ts';

type Window = Extract<AgentEvent, { kind: 'window' }>;

/** The CLI marks models of a million tokens in their names; of others the name says nothing that would stay true. */
export function windowByName(init: Json): Window[] {
  const tokens = windowOf(textIn(init['model']));
  return tokens === null ? [] : [{ kind: 'window', tokens }];
}

export function windowOf(model: string): number | null {
  return /\[1m\]$/i.test(model) ? 1_000_000 : null;
}

/** Subagents may use other models: then nobody knows whose window is meant. */
export function windowByResult(result: Json): Window[] {
  const sizes = new Set(
    Object.values(objectIn(result['modelUsage'])).map((used) => countIn(objectIn(used)['contextWindow'])),
  );
  const [only] = sizes;
  return only !== undefined && only > 0 && sizes.size === 1 ? [{ kind: 'window', tokens: only }] : [];
}
