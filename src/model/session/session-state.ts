// What people said to the agents of a task. What is known of one agent's session: memory.ts. Written by evolve-session.ts
// alone.

import type { Steer } from './session-events.ts';

export interface TaskSession {
  /** Messages to its agent while that was not at work: its next attempt begins with them. */
  steered: readonly Steer[];
  /** The last messages of people to its agents: later agents read them too. */
  said: readonly Steer[];
}

export function nothingSaid(): TaskSession {
  return { steered: [], said: [] };
}
