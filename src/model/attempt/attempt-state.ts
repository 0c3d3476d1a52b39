// What belongs to one try at a task: where it starts from, its workspace, its processes one after the other, and its
// result. Written by this folder alone.

import type { Changed, EvidenceItem, ProcessName, Rung, Verdict } from '../core/events.ts';
import type { LaunchId, RecordId } from '../core/ids.ts';
import type { Json } from '../core/json.ts';
import type { LaunchState, WorkspaceState } from '../core/states.ts';
import type { StoredArtifact } from './artifact.ts';

export interface AttemptOrigin {
  /** What its workspace is made from: the head of the run's branch when it started, or the work that it continues. */
  readonly from: string;
  /** The number of the first attempt whose work it continues; its own if it began from scratch. */
  readonly since: number;
  /** What its work is compared with: the base of that first attempt. */
  base: string;
  /** The workspace of the attempt that it continues; null = it began from scratch. */
  readonly formerPath: string | null;
  /** Why it continues the attempt before, or does not; empty = there was no choice. */
  readonly why: string;
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

export interface AttemptLaunches {
  /** The present or last one; null = none yet. */
  current: Launch | null;
  /** How many there were, with the current one. */
  count: number;
  /** How many of them followed a pause: they are no sign of trouble. */
  afterPause: number;
  /** How many began a new session from a handoff. */
  renewals: number;
  /** How often its process was ended because it stalled. */
  stalls: number;
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

export interface Failing {
  times: number;
  at: number;
  message: string;
}

export interface AttemptResult {
  /** The last output of its agent, and what is wrong with it. */
  output: { readonly value: Json; readonly problems: readonly string[] } | null;
  /** The stored artifacts, in order. */
  artifacts: readonly StoredArtifact[];
  /** How many of those its agent submitted; the ones after them were stored with its work. */
  submitted: number;
  /** How often its agent was asked to give its output again. */
  corrections: number;
  verdict: Verdict | null;
  evidence: readonly EvidenceItem[] | null;
}

export function noWorkspace(): Workspace {
  const none = { path: '', base: '', ref: '', commit: '', notes: [] };
  return { state: 'absent', ...none, changed: { paths: [], total: 0 }, uncommitted: 0 };
}

export function notLaunched(): AttemptLaunches {
  return { current: null, count: 0, afterPause: 0, renewals: 0, stalls: 0 };
}

export function noResult(): AttemptResult {
  return { output: null, artifacts: [], submitted: 0, corrections: 0, verdict: null, evidence: null };
}
