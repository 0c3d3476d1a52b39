// What the engine needs of the world to bring a run's work into a branch of the user's.

import type { AttemptId, RunId } from '../model/ids.ts';
import type { Trailer } from '../model/integrate/trailer.ts';
import type { LandingAsk, LandResult } from '../model/land/landing.ts';
import type { CheckSpec } from '../model/spec.ts';

export interface LandPort {
  /**
   * Tries once to bring a run's work into a branch of the user's repository, whose checks pass on exactly the tree that the
   * branch gets. Repeating it has its effect once: what an earlier try has landed is told as landed.
   */
  land(order: LandOrder, signal: AbortSignal): Promise<LandResult>;
}

export interface LandOrder extends LandingAsk {
  readonly runId: RunId;
  /** Which landing of the run it is, and when it was asked for: whoever asked first goes first. */
  readonly n: number;
  readonly at: number;
  readonly name: string;
  /** Any attempt of the run: all are kept in one repository. */
  readonly attemptId: AttemptId;
  /** The user's repository. */
  readonly repo: string;
  /** Where the run's branch is. */
  readonly head: string;
  readonly checks: readonly CheckSpec[];
  readonly sandboxed: boolean;
  /** false: it is landed only if it has been already. */
  readonly wanted: boolean;
  /** What a merge of ours says of itself. */
  readonly trailers: readonly Trailer[];
}
