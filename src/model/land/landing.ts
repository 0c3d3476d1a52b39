// A landing: what has landed on a run's branch goes on into a branch that a person named. What is asked, what becomes of
// it, and what is known of the one under way.

import type { EvidenceItem } from '../attempt/evidence-item.ts';
import type { TaskId } from '../core/ids.ts';

export interface LandingAsk {
  /** The branch it goes into; null = none is to be moved: it goes to a branch of its own. */
  readonly into: string | null;
  /** Whether the files of a checkout of that branch may move with it. */
  readonly mayMoveCheckout: boolean;
  /** It is for a pull request: tried with the branch, and put to one of its own. */
  readonly openPr: boolean;
  /** Only what these tasks changed; left out = all that was integrated. */
  readonly tasks?: readonly TaskId[];
  /** Left out = as by default. */
  readonly history?: LandingHistory;
}

/** Where a run lands when all has succeeded. */
export interface LandingTarget {
  /** The branch of the user's that it goes into; left out = it stays where it is. */
  readonly into?: string;
  /** Whether the files of a checkout of that branch may move with it. */
  readonly moveCheckout?: boolean;
  /** What history it makes there; left out = as by default. */
  readonly history?: LandingHistory;
}

/** What history a landing makes. */
export interface LandingHistory {
  readonly commits: CommitStyle;
  readonly coAuthor: CoAuthorStyle;
  /** What a person wrote instead of what the agent said, by attempt. */
  readonly messages?: Readonly<Record<string, string>>;
  /** The same commits as signed by a person, in their repository: the last one before and after. */
  readonly signed?: { readonly commit: string; readonly as: string };
}

export const commitStyles = ['one-per-task', 'merge', 'keep'] as const;
export type CommitStyle = (typeof commitStyles)[number];

/** How a commit names the agent. */
export const coAuthorStyles = ['co-authored-by', 'assisted-by', 'none'] as const;
export type CoAuthorStyle = (typeof coAuthorStyles)[number];

export const usualHistory: LandingHistory = { commits: 'one-per-task', coAuthor: 'co-authored-by' };

export type LandingEvent =
  | ({ readonly type: 'landing.asked'; readonly n: number; readonly by: string } & LandingAsk)
  /** Somebody else moved the branch meanwhile: all is merged and tested anew. */
  | { readonly type: 'landing.moved'; readonly n: number; readonly from: string; readonly to: string }
  /** It could not be tried; it is tried again. */
  | { readonly type: 'landing.tryFailed'; readonly n: number; readonly code: string; readonly message: string }
  | { readonly type: 'landing.ended'; readonly n: number; readonly outcome: LandingOutcome };

export type LandingOutcome =
  /** The branch was moved from one commit to the other, on whose tree these checks have passed. */
  | {
      readonly kind: 'landed';
      readonly branch: string;
      readonly commit: string;
      readonly from: string;
      readonly items: readonly EvidenceItem[];
      /** Index and files of a checkout moved with it. */
      readonly checkedOut: boolean;
      /** How many commits; left out in old journals. */
      readonly count?: number;
      /** What is otherwise than one would think, in sentences. */
      readonly notes?: readonly string[];
    }
  /** It is on a branch of its own instead. */
  | { readonly kind: 'aside'; readonly branch: string; readonly commit: string; readonly why: string }
  /** It does not fit the commit that the branch is at. */
  | {
      readonly kind: 'conflict';
      readonly branch: string;
      readonly paths: readonly string[];
      readonly commit: string;
    }
  /** It fits, and checks fail on the merged tree. */
  | { readonly kind: 'failed'; readonly branch: string; readonly items: readonly EvidenceItem[] }
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'stopped' };

/** What a try came to. */
export type LandResult =
  | { readonly kind: 'ended'; readonly outcome: LandingOutcome }
  | { readonly kind: 'moved'; readonly from: string; readonly to: string };

/** The last landing of a run, as far as it is. */
export interface Landing extends LandingAsk {
  /** Which one of the run's it is. */
  readonly n: number;
  readonly by: string;
  readonly askedAt: number;
  /** The number of the event by which it was asked for. */
  readonly askedSeq: number;
  /** How often the branch was moved by somebody else since. */
  moves: number;
  /** How often in a row it could not be tried; null = the last try had a result. */
  failing: { readonly times: number; readonly at: number; readonly message: string } | null;
  outcome: LandingOutcome | null;
}

/** Whether a person has what they asked for. */
export function isAsAsked({ into, openPr }: LandingAsk, outcome: LandingOutcome): boolean {
  return outcome.kind === 'landed' || (outcome.kind === 'aside' && (into === null || openPr));
}

export function isSameAsk(one: LandingAsk, other: LandingAsk): boolean {
  const { into, mayMoveCheckout, openPr, tasks, history } = one;
  const same = into === other.into && mayMoveCheckout === other.mayMoveCheckout && openPr === other.openPr;
  if (!same || tasks?.join() !== other.tasks?.join()) return false;
  return JSON.stringify(history ?? null) === JSON.stringify(other.history ?? null);
}
