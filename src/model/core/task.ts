// A task of a run as it stands, and what became of earlier tries. Part of a run's state, changed by the fold alone.

import type { TaskIntegration } from '../integrate/integration-state.ts';
import type { Message } from '../messages/message.ts';
import type { Steer } from '../session/session-events.ts';
import type { TaskSpending } from '../spending/spending-state.ts';
import type { Attempt } from './attempt.ts';
import type { Changed, TaskOutcome } from './events.ts';
import type { Failure } from './failure.ts';
import type { MessageId, TaskId } from './ids.ts';
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
  /** All attempts ever made, and how many of them do not count because the task was reopened since. */
  attempts: number;
  attemptsForgiven: number;
  /** When a person had it done again; 0 = never. What was found wrong before is looked at again. */
  forgivenAt: number;
  attempt: Attempt | null;
  /** It was stopped with others and was opened again with them: its next attempt goes on with that one. */
  resumes: boolean;
  /** The wait before the next attempt: from when, how long. */
  delay: { from: number; ms: number } | null;
  lastFailure: Failure | null;
  unmetNeeds: number;
  /** What it gave, once it has succeeded. Of a matrix what its tasks gave, in order. */
  output: Json;
  readonly integration: TaskIntegration;
  /** Attempts that ended because evidence was missing, and that their authors remember. */
  sentBack: number;
  /** The last attempts that came to nothing: what the next one is told of them. */
  tried: readonly Tried[];
  /** What was said to its agent while that was not at work: its next attempt begins with it. */
  steered: readonly Steer[];
  /** The last that people said to its agents: those after them are told. */
  said: readonly Steer[];
  readonly spending: TaskSpending;
  /** Messages for whoever works on it that were not taken up, in order; the first may be on their way. Once it has ended they are dead. */
  inbox: Message[];
  /** Messages that nobody will read, and whose senders were told so. */
  undelivered: readonly MessageId[];
  /** The last ones that were taken up, for those that want to read one again. */
  read: readonly Message[];
  /** What its agent last told of how far it is; null = nothing. */
  progress: { readonly line: string; readonly fraction: number | null; readonly at: number } | null;
  /** Whether whoever asked for it was told how it ended. */
  told: boolean;
  /** Tasks that need this one; an index. */
  dependants: TaskId[];
  /** Of a matrix its tasks, in order, and how many have not ended; an index. */
  members: TaskId[];
  membersOpen: number;
  /** Tasks that its agent has asked for, in order, and how many have not ended; an index. */
  children: TaskId[];
  childrenOpen: number;
}

export interface Tried {
  readonly n: number;
  readonly failure: Failure;
  /** What the agent said last. */
  readonly said: string;
  readonly changed: Changed;
  /** Where its work is; empty = nowhere. */
  readonly ref: string;
  readonly commit: string;
}
