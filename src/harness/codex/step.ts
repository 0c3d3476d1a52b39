// What reading one line comes to.

import type { AgentEvent } from '../../model/session/agent-fact.ts';
import type { State } from './state.ts';

/** What is left out is unchanged, or nothing. */
export interface Step {
  readonly state?: State;
  readonly events?: readonly AgentEvent[];
  readonly replies?: readonly string[];
}

export const nothing: Step = {};

/** What a line tells is cut to this where it is only for people. */
export const excerptMax = 200;
