// An attempt and what belongs to it: workspace, processes, result. Part of a run's state, written by the fold alone.

import type { AttemptLaunches, AttemptOrigin, AttemptResult, Failing, Workspace } from '../attempt/attempt-state.ts';
import type { Waits } from '../children/awaited.ts';
import type { AttemptIntegration } from '../integrate/integration-state.ts';
import type { AttemptParking } from '../parking/parking-state.ts';
import type { AttemptTurn } from '../session/session-state.ts';
import type { AttemptSpending } from '../spending/spending-state.ts';
import type { EffectKind, StopReason } from './events.ts';
import type { AgentId, AttemptId, TaskId } from './ids.ts';
import type { AttemptState } from './states.ts';

export interface Attempt {
  readonly id: AttemptId;
  readonly taskId: TaskId;
  readonly n: number;
  readonly agentId: AgentId;
  readonly host: string;
  readonly startedAt: number;
  readonly origin: AttemptOrigin;
  state: AttemptState;
  readonly workspace: Workspace;
  readonly launches: AttemptLaunches;
  readonly parking: AttemptParking;
  readonly spending: AttemptSpending;
  /** How many records Signalbox itself has sent in this attempt: part of the next one's id. */
  ownRecords: number;
  readonly turn: AttemptTurn;
  readonly result: AttemptResult;
  /** What its agent waits for; null = nothing. */
  waits: Waits | null;
  /** Paths that it has claimed, within its task's write-set. */
  claims: readonly string[];
  stop: { reason: StopReason; detail: string; at: number } | null;
  readonly integration: AttemptIntegration;
  /** Effects that failed, with how often in a row; removed on success. */
  failing: Partial<Record<EffectKind, Failing>>;
}
