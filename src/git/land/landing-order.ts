// The options of a landing, and the context of one try.

import type { LandingOutcome, LandOrder, LandResult } from '../../ports/land-port.ts';
import type { Checks } from '../checks/checks.ts';
import type { Identity } from '../commands/create-commit.ts';
import type { User } from '../commands/git-as-user.ts';

export interface LandingsOptions {
  /** The root of the workspaces. */
  readonly root: string;
  readonly user: User;
  /** Signs the text of a note. */
  readonly signNote?: (text: string) => string;
  /** The identity by which commits name an agent of a harness; left out, or null: the name of the harness. */
  readonly coAuthor?: (harness: string) => Identity | null;
  readonly checks: Checks;
  /** For tests: called at each step. */
  readonly passing?: (step: string) => void;
}

/** What is needed to make the commits of a landing. */
export interface Making {
  readonly options: Pick<LandingsOptions, 'user' | 'coAuthor'>;
  readonly order: LandOrder;
  /** The repository of ours that has the run's work. */
  readonly bare: string;
  readonly scratch: string;
}

/** The context of one try. */
export interface Trial extends Making {
  readonly options: LandingsOptions;
  readonly passing: (step: string) => void;
}

export function ended(outcome: LandingOutcome): LandResult {
  return { kind: 'ended', outcome };
}

export function refused(why: string): LandResult {
  return ended({ kind: 'refused', why });
}
