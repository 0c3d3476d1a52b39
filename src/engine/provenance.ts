// Gathers what a landed commit says of where its work comes from. All of it is settled when the work is found good, so it is
// the same however often it is gathered, and by whomever folds the journal.

import { createHash } from 'node:crypto';
import type { Attempt } from '../model/attempt.ts';
import { type LaunchId, launchId } from '../model/ids.ts';
import { landingTrailers, type Trailer } from '../model/landing-trailers.ts';
import { taskOf } from '../model/lookup.ts';
import { promptText } from '../model/prompt.ts';
import type { Run } from '../model/run.ts';
import { must } from '../std/assert.ts';
import { Fault } from '../std/fault.ts';
import type { Journal } from '../store/journal.ts';

/** What of the world it needs. */
export interface ProvenanceSource {
  readonly journal: Pick<Journal, 'read'>;
  readonly launches: { transcriptHash(launchIds: readonly LaunchId[]): Promise<string | null> };
}

/** Of an attempt whose work is to land. */
export async function provenanceOf(source: ProvenanceSource, run: Run, attempt: Attempt): Promise<Trailer[]> {
  const { id: runId } = must(run.spec, 'a run that works is created');
  const seq = must(attempt.queuedSeq, 'what lands was found good');
  const prompt = promptHash(run, attempt);
  const transcript = await source.launches.transcriptHash(launchesOf(attempt));
  const [event] = await source.journal.read(runId, seq - 1, 1);
  if (event === undefined) throw new Fault('journal_corrupt', `the journal has no event ${seq} of ${runId}`);
  return landingTrailers(run, attempt, { prompt, transcript, journal: { seq, hash: event.hash } });
}

/** Of the whole prompt, but for where on this machine the agent found the whole of its inputs. */
function promptHash(run: Run, attempt: Attempt): string {
  const text = promptText(run, taskOf(run, attempt.taskId), { again: false, inputs: 'inputs' });
  return createHash('sha256').update(text).digest('hex');
}

function launchesOf({ id, launches }: Attempt): LaunchId[] {
  return Array.from({ length: launches }, (_, n) => launchId(id, n + 1));
}
