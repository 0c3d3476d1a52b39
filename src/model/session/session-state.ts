// What people said to the agents of a task, and how an attempt's last turn ended. What is known of one agent's session:
// memory.ts. Written by this folder alone.

import type { Turn } from './agent-fact.ts';
import type { Unfinished } from './last-words.ts';
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

export interface AttemptTurn {
  /** How the last turn ended; null = a turn is going on, or none has begun. */
  ended: Turn | null;
  /** The last words of its agent, in a turn that has not ended or before it. */
  unfinished: Unfinished | null;
  /** When the turn ended; 0 = it has not. */
  idleSince: number;
}

export function noTurn(): AttemptTurn {
  return { ended: null, unfinished: null, idleSince: 0 };
}
