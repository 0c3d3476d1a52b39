// What is asked of an integration, and what becomes of it.

import type { Check, ProofItem } from '../checks/checks.ts';
import { distinct } from '../land/test-commit.ts';
import type { Joinable, Tip } from './merge-work.ts';

export interface IntegrateOrder {
  readonly runId: string;
  /** Where the run's branch is by the record: before anything has been integrated, the commit that the run starts from. */
  readonly head: string;
  /** In the order in which they are to be integrated. */
  readonly works: readonly IntegrateWork[];
  /** What has to hold wherever the branch comes to. */
  readonly checks: readonly Check[];
  readonly sandboxed: boolean;
  /** Checks that failed before this moment are run again. */
  readonly failuresSince?: number;
}

export interface IntegrateWork extends Joinable {
  /** What has to hold as well where this work is. */
  readonly checks: readonly Check[];
  /** false: it is only to be told whether it is on the branch. */
  readonly wanted: boolean;
}

/** In the order of the works, at most one for each. Who has none is still to be integrated. */
export type IntegrateResult = { readonly attemptId: string } & (
  | {
      readonly kind: 'integrated';
      /** The merge that brought it, or where the branch was if it was there already; the branch is at the last one's. */
      readonly commit: string;
      readonly tree: string;
      /** Of the checks on what the branch is at; none where it did not move. */
      readonly items: readonly ProofItem[];
    }
  /** At most so many paths are listed. `with`: whose integrated work touched them since it began. */
  | {
      readonly kind: 'conflict';
      readonly paths: readonly string[];
      readonly pathsTotal: number;
      readonly with: readonly string[];
    }
  /** `with`: whose integrated work it fails together with; null: it fails by itself. */
  | { readonly kind: 'failed'; readonly items: readonly ProofItem[]; readonly with: string | null }
  | { readonly kind: 'withdrawn' }
);

/** What has to hold there. */
export function checksAt(checks: readonly Check[], { works }: Tip<IntegrateWork>): Check[] {
  return distinct([...checks, ...works.flatMap((work) => work.checks)]);
}
