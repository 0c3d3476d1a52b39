// Gathers what a landed commit says of where its work comes from. All of it is settled when the work is found good, so it is
// the same however often it is gathered, and by whomever folds the journal.

import { createHash } from 'node:crypto';
import type { Attempt } from '../../model/attempt/attempt.ts';
import { promptText } from '../../model/tasks/prompt.ts';
import { type LaunchId, launchId, type RunId } from '../../model/ids.ts';
import { deliveryTrailers } from '../../model/land/landing-trailers.ts';
import { landingTrailers } from '../../model/integrate/integration-trailers.ts';
import type { Anchor, Trailer } from '../../model/integrate/trailer.ts';
import { taskOf } from '../../model/lookup.ts';
import type { Run } from '../../model/run.ts';
import { must } from '../../std/assert.ts';
import { Fault } from '../../std/fault.ts';
import type { Journal } from '../../store/journal.ts';

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
  return landingTrailers(run, attempt, { prompt, transcript, journal: await anchorAt(source, runId, seq) });
}

/** Of the merge by which a run's work comes into a branch of the user's. */
export async function deliveryProvenance(source: Pick<ProvenanceSource, 'journal'>, run: Run): Promise<Trailer[]> {
  const { id: runId } = must(run.spec, 'a run that has ended was created');
  const delivery = must(run.delivery, 'a delivery was asked for');
  return deliveryTrailers(run, delivery, await anchorAt(source, runId, delivery.askedSeq));
}

async function anchorAt({ journal }: Pick<ProvenanceSource, 'journal'>, runId: RunId, seq: number): Promise<Anchor> {
  const [event] = await journal.read(runId, seq - 1, 1);
  if (event === undefined) throw new Fault('journal_corrupt', `the journal has no event ${seq} of ${runId}`);
  return { seq, hash: event.hash };
}

/** Of the whole prompt, but for where on this machine the agent found the whole of its inputs. */
function promptHash(run: Run, attempt: Attempt): string {
  const text = promptText(run, taskOf(run, attempt.taskId), { again: false, inputs: 'inputs' });
  return createHash('sha256').update(text).digest('hex');
}

function launchesOf({ id, launches }: Attempt): LaunchId[] {
  return Array.from({ length: launches }, (_, n) => launchId(id, n + 1));
}
