// How the engine integrates verified work into the branch of its run.

import type { CheckSpec } from '../model/core/spec.ts';
import type { IntegrateResult as ResultOf } from '../model/integrate/integration-queue.ts';
import type { Trailer } from '../model/integrate/trailer.ts';

export type { Overlap } from '../model/integrate/integration-state.ts';
export type { Trailer } from '../model/integrate/trailer.ts';

/** Its ids are those of the order, or stand in trailers of commits that Signalbox made. */
export type IntegrateResult = ResultOf<string>;

export interface IntegrationPort {
  /**
   * Merges works onto the run's branch in this order, as far as they merge and the checks pass on exactly the tree that
   * the branch gets. Repeating it has its effect once: work that an earlier try integrated is reported as integrated. At
   * most one result for each work; a work without a result is still to be integrated.
   */
  integrate(order: IntegrateOrder, signal: AbortSignal): Promise<readonly IntegrateResult[]>;
}

export interface IntegrateOrder {
  readonly runId: string;
  /** The head of the branch by the journal; before anything is integrated, the commit that the run starts from. */
  readonly head: string;
  /** In the order in which they are to be integrated. */
  readonly works: readonly IntegrateWork[];
  /** Checks that must pass on every tree the branch gets. */
  readonly checks: readonly CheckSpec[];
  readonly sandboxed: boolean;
  /** A shell command that sets up a checkout without a `.signalbox/setup` of its own; left out = none. */
  readonly usualSetup?: string;
  /** Checks that failed before this time are run again, because a person asked for it; left out = none. */
  readonly failuresSince?: number;
}

export interface IntegrateWork {
  readonly attemptId: string;
  /** The saved work, and the commit it started from. */
  readonly commit: string;
  readonly base: string;
  /** false: only report whether it is on the branch already. */
  readonly wanted: boolean;
  /** Title and time (milliseconds since the epoch) come from the journal, so that integrating twice makes the same commit. */
  readonly title: string;
  readonly at: number;
  readonly trailers: readonly Trailer[];
  /** Checks that must pass, too, on every tree that has this work. */
  readonly checks: readonly CheckSpec[];
}
