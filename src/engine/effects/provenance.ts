// Collects the provenance trailers of an integrated commit. All of it is final when the work is verified, so the result is
// always the same.

import { createHash } from 'node:crypto';
import type { Attempt } from '../../model/core/attempt.ts';
import { type LaunchId, launchId, type RunId } from '../../model/core/ids.ts';
import { taskOf } from '../../model/core/lookup.ts';
import type { Run } from '../../model/core/run.ts';
import { integrationTrailers } from '../../model/integrate/integration-trailers.ts';
import type { Anchor, Trailer } from '../../model/integrate/trailer.ts';
import { landingTrailers } from '../../model/land/landing-trailers.ts';
import { promptText } from '../../model/tasks/prompt.ts';
import type { Journal } from '../../ports/journal.ts';
import { must } from '../../std/assert.ts';
import { Fault } from '../../std/fault.ts';

/** The ports it needs. */
export interface ProvenanceSource {
  readonly journal: Pick<Journal, 'read'>;
  readonly launches: { transcriptHash(launchIds: readonly LaunchId[]): Promise<string | null> };
}

/** Trailers of the commit that integrates an attempt's work. */
export async function provenanceOf(source: ProvenanceSource, run: Run, attempt: Attempt): Promise<Trailer[]> {
  const { id: runId } = must(run.spec, 'a run that works is created');
  const seq = must(attempt.integration.queuedSeq, 'what is integrated was found good');
  const prompt = promptHash(run, attempt);
  const transcript = await source.launches.transcriptHash(launchesOf(attempt));
  return integrationTrailers(run, attempt, { prompt, transcript, journal: await anchorAt(source, runId, seq) });
}

/** Trailers of the merge commit that lands a run's work. */
export async function landingProvenance(source: Pick<ProvenanceSource, 'journal'>, run: Run): Promise<Trailer[]> {
  const { id: runId } = must(run.spec, 'a run that has ended was created');
  const landing = must(run.landing, 'a landing was asked for');
  return landingTrailers(run, landing, await anchorAt(source, runId, landing.askedSeq));
}

async function anchorAt({ journal }: Pick<ProvenanceSource, 'journal'>, runId: RunId, seq: number): Promise<Anchor> {
  const [event] = await journal.read(runId, seq - 1, 1);
  if (event === undefined) throw new Fault('journal_corrupt', `the journal has no event ${seq} of ${runId}`);
  return { seq, hash: event.hash };
}

/** The hash of the whole prompt, without the local path of the agent's inputs. */
function promptHash(run: Run, attempt: Attempt): string {
  const text = promptText(run, taskOf(run, attempt.taskId), { again: false, inputs: 'inputs' });
  return createHash('sha256').update(text).digest('hex');
}

function launchesOf({ id, launches: { count: launches } }: Attempt): LaunchId[] {
  return Array.from({ length: launches }, (_, n) => launchId(id, n + 1));
}
