// What people said to the agents of a task. What is known of one agent's conversation is its memory: memory.ts. Written by
// evolve-session.ts alone.

import type { Steer } from './session-events.ts';

export interface TaskSession {
  /** What was said to its agent while that was not at work: its next attempt begins with it. */
  steered: readonly Steer[];
  /** The last that people said to its agents: later agents are told. */
  said: readonly Steer[];
}

export function nothingSaid(): TaskSession {
  return { steered: [], said: [] };
}
