// The trailers of the merge commit by which a run's work landed in a user's branch. A function of the journal up to the request
// to land.

import type { Run } from '../core/run.ts';
import { type Anchor, anchorWords, nameWords, type Trailer, trailersOf } from '../integrate/trailer.ts';
import type { Landing } from './landing.ts';

export function landingTrailers(run: Run, { n, into, by, askedAt }: Landing, journal: Anchor): Trailer[] {
  const { id: runId = '', name = '' } = run.spec ?? {};
  return trailersOf([
    ['Run', `${runId} ${name}`],
    ['Landing', `${n}${into === null ? '' : ` into ${into}`}`],
    ['Asked-By', `${nameWords(by)} at ${new Date(askedAt).toISOString()}`],
    ['Journal', anchorWords(runId, journal)],
  ]);
}
