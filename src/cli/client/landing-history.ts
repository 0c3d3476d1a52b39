// What history a landing makes, as it is said on the command line: only what was said, so that the daemon's defaults hold.

import { defined } from '../../std/defined.ts';
import type { CoAuthorStyle, CommitStyle } from '../../wire/landing-views.ts';
import type { CreateRunInput } from '../../wire/request-schemas.ts';

export interface HistoryOptions {
  readonly commits?: CommitStyle;
  readonly coAuthor?: CoAuthorStyle;
}

export type HistoryRequest = NonNullable<CreateRunInput['history']>;

/** What is said goes before what a plan says; left out where nobody said anything. */
export function landingHistory(
  { commits, coAuthor }: HistoryOptions,
  plan: HistoryRequest = {},
): { readonly history?: HistoryRequest } {
  const history = { ...plan, ...defined({ commits, coAuthor }) };
  return Object.keys(history).length === 0 ? {} : { history };
}
