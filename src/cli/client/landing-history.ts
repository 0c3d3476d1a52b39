// The history that a landing makes, from the command line: only options that were given, so that the daemon's defaults apply.

import type { Configuration } from '../../configuration/configuration.ts';
import { defined } from '../../std/defined.ts';
import type { CoAuthorStyle, CommitStyle } from '../../wire/landing-views.ts';
import type { CreateRunInput } from '../../wire/request-schemas.ts';

export interface HistoryOptions {
  readonly commits?: CommitStyle;
  readonly coAuthor?: CoAuthorStyle;
}

export type HistoryRequest = NonNullable<CreateRunInput['history']>;

/** As the configuration says. */
export function configuredHistory({ commits, 'co-author': coAuthor }: Configuration['values']): HistoryRequest {
  return defined({ commits, coAuthor });
}

/** Options override the plan or the configuration; left out if neither says anything. */
export function landingHistory(
  { commits, coAuthor }: HistoryOptions,
  plan: HistoryRequest = {},
): { readonly history?: HistoryRequest } {
  const history = { ...plan, ...defined({ commits, coAuthor }) };
  return Object.keys(history).length === 0 ? {} : { history };
}
