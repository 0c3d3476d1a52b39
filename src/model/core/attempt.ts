// An attempt and what belongs to it: workspace, processes, what its agent asked. Part of a run's state, changed by the fold
// alone.

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
  /** What its workspace is made from: the head of the run's branch when it started, or the work that it goes on with. */
  readonly from: string;
  /** The number of the first attempt whose work it goes on with; its own if it began anew. */
  readonly since: number;
  /** What its work is compared with: the base of that one. */
  origin: string;
  /** Where the work that it goes on with was done; null = it began anew. */
  readonly formerPath: string | null;
  state: AttemptState;
  workspace: Workspace;
  launches: number;
  /** Of these launches those that followed a pause: they are no sign of trouble. */
  launchesAfterPause: number;
  /** And those that began a new session from what the former handed over. */
  renewals: number;
  /** Why it goes on with the attempt before, or does not; empty = nobody had to decide that. */
  readonly why: string;
  /** How often its process was ended because it had gone silent. */
  stalls: number;
  readonly parking: AttemptParking;
  readonly spending: AttemptSpending;
  launch: Launch | null;
  /** How many messages Signalbox itself has put into this attempt: names the next one. */
  ownRecords: number;
  turn: Turn | null;
  /** What its agent said last, where its turn has not ended: in it, or before it. */
  unfinished: Unfinished | null;
  /** When that ended; 0 = it has not. */
  idleSince: number;
  /** What its agent has asked to wait for; null = nothing. */
  waits: Waits | null;
  /** Paths that it holds besides those that its task declares. */
  claims: readonly string[];
  /** The last output that its agent gave, and what is wrong with it. */
  output: { readonly value: Json; readonly problems: readonly string[] } | null;
  /** What was stored of it, in order. */
  artifacts: readonly StoredArtifact[];
  /** How many of those its agent handed over; what comes after them was stored with its work. */
  submitted: number;
  /** How often its agent was told to give its output again. */
  corrections: number;
  stop: { reason: StopReason; detail: string; at: number } | null;
  verdict: Verdict | null;
  evidence: readonly EvidenceItem[] | null;
  readonly integration: AttemptIntegration;
  /** Effects that failed, each with how often in a row; gone when it succeeds. */
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
  /** What was said of it when it was made and saved. */
  notes: readonly string[];
  changed: Changed;
  /** How many paths its agent had not committed. */
  uncommitted: number;
}

export interface Launch {
  readonly id: LaunchId;
  readonly resume: boolean;
  readonly intendedAt: number;
  /** Its agent asks before each request. As it was when it was intended: what it is told first is the same however often. */
  readonly asks: boolean;
  state: LaunchState;
  startedAt: number | null;
  process: ProcessName | null;
  /** Bytes of `out` whose facts are in the journal, and the codec's state there. */
  offset: number;
  codec: string | null;
  /** Bytes of `in` that are known to be written. */
  written: number;
  /** The record that is being written, where it carries something of the codec's state, and that part of the state. */
  pinned: { readonly recordId: RecordId; readonly codec: string } | null;
  signalled: { rung: Rung; at: number } | null;
}
