// How the engine gets evidence about an attempt's work: its write-set and its checks, on exactly the saved commit.

import type { EvidenceItem } from '../model/core/events.ts';
import type { CheckSpec } from '../model/core/spec.ts';
import type { TextPart } from '../std/characters.ts';

export type { EvidenceItem } from '../model/core/events.ts';
export type { CheckSpec } from '../model/core/spec.ts';

export interface ProverPort {
  prove(order: ProofOrder, signal: AbortSignal): Promise<readonly EvidenceItem[]>;
  /** The output of a check's runs, by the name of its log; null = there is no such log, or it is gone. */
  readLog(log: string, from: number, max: number): Promise<TextPart | null>;
}

export interface ProofOrder {
  readonly attemptId: string;
  readonly commit: string;
  readonly workspace: string;
  readonly checks: readonly CheckSpec[];
  readonly base: string;
  /** The head of the run's branch, parts of which the agent may have merged into its work; left out = there is none. */
  readonly head?: string;
  /** Whether the checks run in a sandbox, as the agent did whose code they run. */
  readonly sandboxed: boolean;
  /** A shell command that sets up a checkout without a `.signalbox/setup` of its own; left out = none. */
  readonly usualSetup?: string;
  /** The paths it may have changed since `base`; null = any. */
  readonly writeSet: WriteSet | null;
  /** Checks that failed before this time are run again, because a person asked for it; left out = none. */
  readonly failuresSince?: number;
}

export interface WriteSet {
  /** The name of this evidence. */
  readonly proof: string;
  readonly globs: readonly string[];
}
