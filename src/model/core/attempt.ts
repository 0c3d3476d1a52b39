// An attempt and what belongs to it: workspace, processes, result. Part of a run's state, written by the fold alone.

import type { StoredArtifact } from '../attempt/artifact.ts';
import type { Waits } from '../children/awaited.ts';
import type { AttemptIntegration } from '../integrate/integration-state.ts';
import type { AttemptParking } from '../parking/parking-state.ts';
import type { Turn } from '../session/agent-fact.ts';
import type { Unfinished } from '../session/last-words.ts';
import type { AttemptSpending } from '../spending/spending-state.ts';
import type { Changed, EffectKind, EvidenceItem, ProcessName, Rung, StopReason, Verdict } from './events.ts';
import type { AgentId, AttemptId, LaunchId, RecordId, TaskId } from './ids.ts';
import type { Json } from './json.ts';
import type { AttemptState, LaunchState, WorkspaceState } from './states.ts';

export interface Attempt {
  readonly id: AttemptId;
  readonly taskId: TaskId;
  readonly n: number;
  readonly agentId: AgentId;
  readonly host: string;
  readonly startedAt: number;
  /** What its workspace is made from: the head of the run's branch when it started, or the work that it continues. */
  readonly from: string;
  /** The number of the first attempt whose work it continues; its own if it began from scratch. */
  readonly since: number;
  /** What its work is compared with: the base of that first attempt. */
  origin: string;
  /** The workspace of the attempt that it continues; null = it began from scratch. */
  readonly formerPath: string | null;
  state: AttemptState;
  workspace: Workspace;
  launches: number;
  /** How many of these launches followed a pause: they are no sign of trouble. */
  launchesAfterPause: number;
  /** How many began a new session from a handoff. */
  renewals: number;
  /** Why it continues the attempt before, or does not; empty = there was no choice. */
  readonly why: string;
  /** How often its process was ended because it stalled. */
  stalls: number;
  readonly parking: AttemptParking;
  readonly spending: AttemptSpending;
  launch: Launch | null;
  /** How many records Signalbox itself has sent in this attempt: part of the next one's id. */
  ownRecords: number;
  turn: Turn | null;
  /** The last words of its agent, in a turn that has not ended or before it. */
  unfinished: Unfinished | null;
  /** When the turn ended; 0 = it has not. */
  idleSince: number;
  /** What its agent waits for; null = nothing. */
  waits: Waits | null;
  /** Paths that it has claimed, within its task's write-set. */
  claims: readonly string[];
  /** The last output of its agent, and what is wrong with it. */
  output: { readonly value: Json; readonly problems: readonly string[] } | null;
  /** The stored artifacts, in order. */
  artifacts: readonly StoredArtifact[];
  /** How many of those its agent submitted; the ones after them were stored with its work. */
  submitted: number;
  /** How often its agent was asked to give its output again. */
  corrections: number;
  stop: { reason: StopReason; detail: string; at: number } | null;
  verdict: Verdict | null;
  evidence: readonly EvidenceItem[] | null;
  readonly integration: AttemptIntegration;
  /** Effects that failed, with how often in a row; removed on success. */
  failing: Partial<Record<EffectKind, Failing>>;
}

export interface Failing {
  times: number;
  at: number;
  message: string;
}

export interface Workspace {
  state: WorkspaceState;
  path: string;
  base: string;
  ref: string;
  commit: string;
  /** Remarks made when it was prepared and saved. */
  notes: readonly string[];
  changed: Changed;
  /** How many paths its agent had left uncommitted. */
  uncommitted: number;
}

export interface Launch {
  readonly id: LaunchId;
  readonly resume: boolean;
  readonly intendedAt: number;
  /**
   * Its agent asks before each request to the model. Fixed when the launch was intended, so that its first records are always
   * the same.
   */
  readonly asks: boolean;
  state: LaunchState;
  startedAt: number | null;
  process: ProcessName | null;
  /** Bytes of `out` whose facts are in the journal, and the codec's state there. */
  offset: number;
  codec: string | null;
  /** Bytes of `in` that are known to be written. */
  written: number;
  /** The record that is being written, if it carries part of the codec's state, and that part. */
  pinned: { readonly recordId: RecordId; readonly codec: string } | null;
  signalled: { rung: Rung; at: number } | null;
}
