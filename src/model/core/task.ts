// The present state of a task. Part of a run's state, written by the fold alone.

import type { TaskChildren } from '../children/children-state.ts';
import type { TaskIntegration } from '../integrate/integration-state.ts';
import type { TaskMailbox } from '../messages/messages-state.ts';
import type { TaskSession } from '../session/session-state.ts';
import type { TaskSpending } from '../spending/spending-state.ts';
import type { TaskGraph, TaskTries } from '../tasks/tasks-state.ts';
import type { Attempt } from './attempt.ts';
import type { TaskOutcome } from './events.ts';
import type { Json } from './json.ts';
import type { TaskSpec } from './spec.ts';
import type { TaskState } from './states.ts';

export interface Task {
  readonly spec: TaskSpec;
  /** Position in the order of adding: the tie-breaker that makes dispatch deterministic. */
  readonly order: number;
  state: TaskState;
  outcome: TaskOutcome | null;
  /** When it ended; null = it has not. */
  endedAt: number | null;
  readonly tries: TaskTries;
  attempt: Attempt | null;
  /** It was stopped with its run and reopened: its next attempt continues the stopped one. */
  resumes: boolean;
  /** The delay before the next attempt: since when, how long. */
  delay: { from: number; ms: number } | null;
  readonly graph: TaskGraph;
  /** Its output, once it has succeeded. For a matrix, the outputs of its tasks in order. */
  output: Json;
  readonly integration: TaskIntegration;
  readonly session: TaskSession;
  readonly spending: TaskSpending;
  readonly mailbox: TaskMailbox;
  readonly children: TaskChildren;
}
