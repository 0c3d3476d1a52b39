// How the engine has an attempt's work proved: its write-set and its checks, on exactly the saved commit.

import type { EvidenceItem } from '../model/core/events.ts';
import type { CheckSpec } from '../model/core/spec.ts';

export type { EvidenceItem } from '../model/core/events.ts';
export type { CheckSpec } from '../model/core/spec.ts';

export interface ProverPort {
  prove(order: ProofOrder, signal: AbortSignal): Promise<readonly EvidenceItem[]>;
}

export interface ProofOrder {
  readonly attemptId: string;
  readonly commit: string;
  readonly workspace: string;
  readonly checks: readonly CheckSpec[];
  readonly base: string;
  /** Whether the checks run in a sandbox, as the agent did whose code they run. */
  readonly sandboxed: boolean;
  /** The paths it may have changed since `base`; null = any. */
  readonly writeSet: WriteSet | null;
  /** Checks that failed before this moment are run again, because a person said so; left out = none. */
  readonly failuresSince?: number;
}

export interface WriteSet {
  /** The name of the proof. */
  readonly proof: string;
  readonly globs: readonly string[];
}
