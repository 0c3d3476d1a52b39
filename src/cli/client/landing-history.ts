// The history that a landing makes, from the command line: only options that were given, so that the daemon's defaults apply.

import { defined } from '../../std/defined.ts';
import type { CoAuthorStyle, CommitStyle } from '../../wire/landing-views.ts';
import type { CreateRunInput } from '../../wire/request-schemas.ts';

export interface HistoryOptions {
  readonly commits?: CommitStyle;
  readonly coAuthor?: CoAuthorStyle;
}

export type HistoryRequest = NonNullable<CreateRunInput['history']>;

/** Options override the plan; left out if neither says anything. */
export function landingHistory(
  { commits, coAuthor }: HistoryOptions,
  plan: HistoryRequest = {},
): { readonly history?: HistoryRequest } {
  const history = { ...plan, ...defined({ commits, coAuthor }) };
  return Object.keys(history).length === 0 ? {} : { history };
}
