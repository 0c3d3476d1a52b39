// The state of one run: a fold over its stream, with indices that make each decision cheap. Written by `evolve` alone.
// Everything here is derived from events and can be dropped at any time.

import type { Ask } from '../asks/ask.ts';
import type { Remembered } from '../asks/permission.ts';
import type { RunChildren } from '../children/children-state.ts';
import type { RunIntegration } from '../integrate/integration-state.ts';
import type { Landing } from '../land/landing.ts';
import type { RunMessages } from '../messages/messages-state.ts';
import type { RunReady } from '../ready/ready-state.ts';
import type { RunSpending } from '../spending/spending-state.ts';
import type { RunGraph } from '../tasks/tasks-state.ts';
import type { Team } from '../teams/team.ts';
import type { Agent } from './agent.ts';
import type { Attempt } from './attempt.ts';
import type { RunOutcome } from './events.ts';
import type { AgentId, AskId, AttemptId, LaunchId, TaskId } from './ids.ts';
import type { Pauses } from './pause.ts';
import type { RunSpec } from './spec.ts';
import type { RunState } from './states.ts';
import type { Task } from './task.ts';

export type { Task } from './task.ts';

export interface Run {
  spec: RunSpec | null;
  /** Sequence number of the last event folded in: the fence of the next append. */
  seq: number;
  state: RunState;
  outcome: RunOutcome | null;
  createdAt: number;
  endedAt: number | null;
  stopAskedBy: string | null;
  /** Who removed the run; null = it is there. */
  removedBy: string | null;
  /** Written by parking/evolve-parking.ts alone. */
  readonly pauses: Pauses;
  tasks: Map<TaskId, Task>;
  agents: Map<AgentId, Agent>;
  readonly spending: RunSpending;
  /** By name; deleted teams stay in it. */
  teams: Map<string, Team>;
  readonly messages: RunMessages;
  readonly children: RunChildren;
  /** Open asks, and the last ask about each thing; in the order of asking. Written by asks/evolve-asks.ts alone. */
  asks: Map<AskId, Ask>;
  /** Permission decisions that hold for the rest of the run. */
  remembered: Remembered[];
  readonly integration: RunIntegration;
  /** The last landing into a branch of the user's; null = none was asked for. */
  landing: Landing | null;
  /** What follows are indices, rebuilt when a snapshot is loaded. */
  readonly graph: RunGraph;
  live: Map<AttemptId, Attempt>;
  liveByLaunch: Map<LaunchId, Attempt>;
  readonly ready: RunReady;
  /** Parked attempts, the first parked first. */
  parked: Map<AttemptId, Attempt>;
  /** By what they are about: requests by attempt, others by task, other run or budget. */
  asksOf: Map<string, readonly Ask[]>;
  openAsks: Map<AskId, Ask>;
}
