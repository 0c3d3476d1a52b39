// The state of integration of a run, its tasks and attempts. Written by evolve-integration.ts alone.

import type { Attempt } from '../core/attempt.ts';
import type { EvidenceItem } from '../core/events.ts';
import type { AttemptId } from '../core/ids.ts';
import type { CheckSpec } from '../core/spec.ts';
import type { Conflict } from './conflict.ts';

export interface RunIntegration {
  /** The head of the run's branch: its start, or the last integrated commit. */
  head: string;
  /** The steps to it, the oldest first: what each work changed. */
  steps: IntegrationStep[];
  /** Other runs whose work changes the same lines, as of the last integration. */
  overlaps: readonly Overlap[];
  /** The checks of all integrated work, by their commands. */
  checks: Map<string, CheckSpec>;
  /** Attempts whose work waits for integration, the next one first. An index. */
  queue: Map<AttemptId, Attempt>;
}

/** This work moved the branch from one commit to the other; if both are equal, it was integrated together with another. */
export interface IntegrationStep {
  readonly attemptId: AttemptId;
  readonly from: string;
  readonly to: string;
}

/** Another run of the repository changes the same lines: whichever lands second will conflict. */
export interface Overlap {
  readonly runId: string;
  readonly name: string;
  /** At most so many; all are `pathsTotal`. */
  readonly paths: readonly string[];
  readonly pathsTotal: number;
}

export interface TaskIntegration {
  /** How many attempts ended with a conflict with integrated work. */
  conflicts: number;
  /** The last conflict; null = there was none. */
  conflict: Conflict | null;
}

export interface AttemptIntegration {
  /** The sequence number of the event by which its work was queued for integration; null = not yet. */
  queuedSeq: number | null;
  /** When it was queued; 0 = not yet. */
  queuedAt: number;
  /** The checks of the branch with its work, if one failed; null = none did. */
  branchEvidence: readonly EvidenceItem[] | null;
}

export function nothingIntegrated(): RunIntegration {
  return { head: '', steps: [], overlaps: [], checks: new Map(), queue: new Map() };
}

export function noConflicts(): TaskIntegration {
  return { conflicts: 0, conflict: null };
}

export function notIntegrated(): AttemptIntegration {
  return { queuedSeq: null, queuedAt: 0, branchEvidence: null };
}
