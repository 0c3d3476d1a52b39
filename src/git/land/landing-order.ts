// What a landing into a branch of the user's is asked for, and what can become of it.

import type { Check, Checks, ProofItem } from '../checks/checks.ts';
import type { Identity } from '../commands/create-commit.ts';
import type { User } from '../commands/git-as-user.ts';
import type { Sign, Trailer } from '../integrate/integration-commit.ts';

export interface LandingsOptions {
  /** The root that the workspaces are in. */
  readonly root: string;
  readonly user: User;
  readonly identity?: Identity;
  readonly sign?: Sign;
  readonly checks: Checks;
  /** For tests: told of each step. */
  readonly passing?: (step: string) => void;
}

export interface LandOrder {
  readonly runId: string;
  /** Which landing of the run it is, and when it was asked for. */
  readonly n: number;
  readonly at: number;
  readonly name: string;
  /** Any attempt of the run. */
  readonly attemptId: string;
  /** The user's repository. */
  readonly repo: string;
  readonly head: string;
  /** null: no branch of theirs is to be moved. */
  readonly into: string | null;
  readonly mayMoveCheckout: boolean;
  readonly openPr: boolean;
  readonly checks: readonly Check[];
  readonly sandboxed: boolean;
  /** false: it is landed only if it has been already. */
  readonly wanted: boolean;
  /** What a merge of ours says of itself. */
  readonly trailers: readonly Trailer[];
}

export type Outcome =
  | {
      readonly kind: 'landed';
      readonly branch: string;
      readonly commit: string;
      readonly from: string;
      readonly items: readonly ProofItem[];
      readonly checkedOut: boolean;
    }
  | { readonly kind: 'aside'; readonly branch: string; readonly commit: string; readonly why: string }
  | { readonly kind: 'conflict'; readonly branch: string; readonly paths: readonly string[]; readonly commit: string }
  | { readonly kind: 'failed'; readonly branch: string; readonly items: readonly ProofItem[] }
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'stopped' };

export type Result =
  | { readonly kind: 'ended'; readonly outcome: Outcome }
  | { readonly kind: 'moved'; readonly from: string; readonly to: string };

/** What one try is about. */
export interface Trial {
  readonly options: LandingsOptions;
  readonly order: LandOrder;
  /** The repository of ours that has the run's work. */
  readonly bare: string;
  readonly scratch: string;
  readonly passing: (step: string) => void;
}

export function ended(outcome: Outcome): Result {
  return { kind: 'ended', outcome };
}

export function refused(why: string): Result {
  return ended({ kind: 'refused', why });
}
