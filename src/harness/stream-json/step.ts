// The result of reading one line: events, and a new state if it changed.

import type { AgentEvent } from '../../model/session/agent-fact.ts';
import type { State } from './state.ts';

export type Step = readonly AgentEvent[] | { readonly state: State; readonly events: readonly AgentEvent[] };

export const nothing: Step = [];

/** How much is kept of texts that are only shown. */
export const excerptMax = 200;
