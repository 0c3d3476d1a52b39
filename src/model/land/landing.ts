// A landing: moves a run's branch into a branch that a person named. Its request, its outcomes, and its state.

import type { EvidenceItem } from '../attempt/evidence-item.ts';
import type { AttemptId, TaskId } from '../core/ids.ts';

export interface LandingAsk {
  /** The branch to land in; null = a branch of its own, and no existing one moves. */
  readonly into: string | null;
  /** Whether the files of a checkout of that branch may be updated too. */
  readonly mayMoveCheckout: boolean;
  /** For a pull request: merged and tested with the branch, but put on a branch of its own. */
  readonly openPr: boolean;
  /** Only what these tasks changed; left out = all that was integrated. */
  readonly tasks?: readonly TaskId[];
  /** Left out = the default. */
  readonly history?: LandingHistory;
}

/** Where a run lands when everything has succeeded. */
export interface LandingTarget {
  /** The branch of the user's; left out = it does not land. */
  readonly into?: string;
  /** Whether the files of a checkout of that branch may be updated too. */
  readonly moveCheckout?: boolean;
  /** The history that it makes there; left out = the default. */
  readonly history?: LandingHistory;
}

/** The history that a landing makes. */
export interface LandingHistory {
  readonly commits: CommitStyle;
  readonly coAuthor: CoAuthorStyle;
  /** Commit messages by a person in place of the agent's words, by attempt. */
  readonly messages?: Readonly<Record<string, string>>;
  /** The same commits after a person signed them in their repository: the last one before and after. */
  readonly signed?: { readonly commit: string; readonly as: string };
}

export const commitStyles = ['one-per-task', 'merge', 'keep'] as const;
export type CommitStyle = (typeof commitStyles)[number];

/** How a commit names the agent. */
export const coAuthorStyles = ['co-authored-by', 'assisted-by', 'none'] as const;
export type CoAuthorStyle = (typeof coAuthorStyles)[number];

export const usualHistory: LandingHistory = { commits: 'one-per-task', coAuthor: 'co-authored-by' };

export type LandingEvent =
  /** `rounds`: how many conflicts with the branch have been resolved for it before. */
  | ({ readonly type: 'landing.asked'; readonly n: number; readonly by: string; readonly rounds?: number } & LandingAsk)
  /** It conflicts with the branch: the author of the work goes on with it, and then it is landed again. */
  | {
      readonly type: 'landing.sentBack';
      readonly n: number;
      readonly taskId: TaskId;
      readonly branch: string;
      readonly commit: string;
      readonly start: string;
      readonly paths: readonly string[];
      readonly pathsTotal: number;
      readonly with: readonly AttemptId[];
    }
  /** Others moved the branch meanwhile: everything is merged and tested again. */
  | { readonly type: 'landing.moved'; readonly n: number; readonly from: string; readonly to: string }
  /** The try failed; there will be another. */
  | { readonly type: 'landing.tryFailed'; readonly n: number; readonly code: string; readonly message: string }
  | { readonly type: 'landing.ended'; readonly n: number; readonly outcome: LandingOutcome };

export type LandingOutcome =
  /** The branch was moved from one commit to the other, on whose tree these checks passed. */
  | {
      readonly kind: 'landed';
      readonly branch: string;
      readonly commit: string;
      readonly from: string;
      readonly items: readonly EvidenceItem[];
      /** Index and files of a checkout were updated too. */
      readonly checkedOut: boolean;
      /** How many commits; left out in old journals. */
      readonly count?: number;
      /** Remarks about surprises, in sentences. */
      readonly notes?: readonly string[];
    }
  /** It is on a branch of its own instead. */
  | { readonly kind: 'aside'; readonly branch: string; readonly commit: string; readonly why: string }
  /** It conflicts with the commit that the branch is at. */
  | {
      readonly kind: 'conflict';
      readonly branch: string;
      /** At most so many; all are `pathsTotal`. */
      readonly paths: readonly string[];
      readonly pathsTotal?: number;
      readonly commit: string;
      /** Both merged, with the branch's version of what conflicts: where an agent begins that resolves it. */
      readonly start?: string;
      /** The attempts whose work is in conflict. */
      readonly with?: readonly string[];
      /** It was sent back to this task. */
      readonly author?: TaskId;
    }
  /** It merges, but checks fail on the merged tree. */
  | { readonly kind: 'failed'; readonly branch: string; readonly items: readonly EvidenceItem[] }
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'stopped' };

/** The result of one try. */
export type LandResult =
  | { readonly kind: 'ended'; readonly outcome: LandingOutcome }
  | { readonly kind: 'moved'; readonly from: string; readonly to: string };

/** The last landing of a run. */
export interface Landing extends LandingAsk {
  /** Its number within the run. */
  readonly n: number;
  readonly by: string;
  readonly askedAt: number;
  /** The sequence number of the event that asked for it. */
  readonly askedSeq: number;
  readonly rounds: number;
  /** How often others moved the branch since. */
  moves: number;
  /** How often in a row a try failed; null = the last try had a result. */
  failing: { readonly times: number; readonly at: number; readonly message: string } | null;
  outcome: LandingOutcome | null;
}

/** Whether the work is where the person asked for it. */
export function isAsAsked({ into, openPr }: LandingAsk, outcome: LandingOutcome): boolean {
  return outcome.kind === 'landed' || (outcome.kind === 'aside' && (into === null || openPr));
}

export function isSameAsk(one: LandingAsk, other: LandingAsk): boolean {
  const { into, mayMoveCheckout, openPr, tasks, history } = one;
  const same = into === other.into && mayMoveCheckout === other.mayMoveCheckout && openPr === other.openPr;
  if (!same || tasks?.join() !== other.tasks?.join()) return false;
  return JSON.stringify(history ?? null) === JSON.stringify(other.history ?? null);
}
