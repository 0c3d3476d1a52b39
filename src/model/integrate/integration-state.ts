// What a run, its tasks and attempts know of the integration of their work. Written by evolve-integration.ts alone.

import type { Attempt } from '../core/attempt.ts';
import type { EvidenceItem } from '../core/events.ts';
import type { AttemptId } from '../core/ids.ts';
import type { CheckSpec } from '../core/spec.ts';
import type { Conflict } from './conflict.ts';

export interface RunIntegration {
  /** Where the run's branch is: what it started from, and since then all work that has been integrated. */
  head: string;
  /** The steps by which it came there, the oldest first: what each work changed. */
  steps: IntegrationStep[];
  /** The checks of all work on the branch, by their commands. */
  checks: Map<string, CheckSpec>;
  /** Attempts whose work goes onto the branch, the next one first. An index. */
  queue: Map<AttemptId, Attempt>;
}

/** The branch moved from one commit to the other by this work; where both are the same it came along with another. */
export interface IntegrationStep {
  readonly attemptId: AttemptId;
  readonly from: string;
  readonly to: string;
}

export interface TaskIntegration {
  /** Attempts that ended because their work conflicted with what had been integrated meanwhile. */
  conflicts: number;
  /** The last conflict; null = there was none. */
  conflict: Conflict | null;
}

export interface AttemptIntegration {
  /** The number of the event by which its work was found good and is to be integrated; null = there is none yet. */
  queuedSeq: number | null;
  /** When it was found good; 0 = it was not. */
  queuedAt: number;
  /** What the checks said of the branch with its work, where one failed; null = none did. */
  branchEvidence: readonly EvidenceItem[] | null;
}

export function nothingIntegrated(): RunIntegration {
  return { head: '', steps: [], checks: new Map(), queue: new Map() };
}

export function noConflicts(): TaskIntegration {
  return { conflicts: 0, conflict: null };
}

export function notIntegrated(): AttemptIntegration {
  return { queuedSeq: null, queuedAt: 0, branchEvidence: null };
}
