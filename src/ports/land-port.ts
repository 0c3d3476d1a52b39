// How the engine lands a run's branch in a branch of the user's.

import type { CheckSpec } from '../model/core/spec.ts';
import type { Trailer } from '../model/integrate/trailer.ts';
import type { LandingAsk, LandingHistory, LandResult } from '../model/land/landing.ts';

export type { CoAuthorStyle, CommitStyle, LandingOutcome, LandResult } from '../model/land/landing.ts';

export interface LandPort {
  /**
   * Tries once to land a run's work in a branch of the user's repository; the checks pass on exactly the tree that the
   * branch gets. Repeating it has its effect once: work that an earlier try landed is reported as landed.
   */
  land(order: LandOrder, signal: AbortSignal): Promise<LandResult>;
}

export interface LandOrder extends Omit<LandingAsk, 'tasks' | 'history'> {
  readonly history: LandingHistory;
  readonly runId: string;
  /** The number of the landing within the run, and when it was asked for: the earliest goes first. */
  readonly n: number;
  readonly at: number;
  readonly name: string;
  /** Any attempt of the run: all are kept in one repository. */
  readonly attemptId: string;
  /** The user's repository. */
  readonly repo: string;
  /** Where the run's branch began, and where it is. */
  readonly base: string;
  readonly head: string;
  /** All steps of the run's branch from its base on, if only those of some tasks are to land; left out = all are. */
  readonly steps?: { readonly base: string; readonly steps: readonly LandStep[] };
  /** By attempt: texts about its work, for commit messages. */
  readonly words: Readonly<Record<string, WorkWords>>;
  readonly checks: readonly CheckSpec[];
  readonly sandboxed: boolean;
  /** A shell command that sets up a checkout without a `.signalbox/setup` of its own; left out = none. */
  readonly usualSetup?: string;
  /** false: only report whether it has landed already. */
  readonly wanted: boolean;
  /** What the notes on its commits say about the landing. */
  readonly trailers: readonly Trailer[];
}

/** One step of a run's branch: what a task changed. */
export interface LandStep {
  readonly from: string;
  readonly to: string;
  readonly task: string;
  /** Whether it is to land. */
  readonly chosen: boolean;
}

export interface WorkWords {
  /** Its agent's prompt and last words. */
  readonly asked: string;
  readonly said: string;
  /** When the work was verified. */
  readonly at: number;
}

/** The commits that a landing would make, the oldest first. */
export interface LandingPreview {
  /** The top of the user's checkout. */
  readonly root: string;
  /** Signalbox's repository, which has them. */
  readonly gitDir: string;
  /** The last one. */
  readonly commit: string;
  readonly commits: readonly {
    readonly commit: string;
    /** By what a message of a person's is given: the attempt, or `merge`. */
    readonly key: string;
    /** null: the merge. */
    readonly task: string | null;
    readonly message: string;
    /** null: it is an agent's own commit, as it is. */
    readonly text: string | null;
  }[];
}
