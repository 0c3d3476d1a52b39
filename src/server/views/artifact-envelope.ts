// The seal exported with an artifact: the sealed event that recorded it, so that it can be verified without the journal.
// Read-only.

import type { ArtifactId, RunId } from '../../model/core/ids.ts';
import type { Journal, StoredEvent } from '../../ports/journal.ts';
import { isFault } from '../../std/fault.ts';
import type { ArtifactEnvelope, SealEnvelope } from '../../wire/artifact-views.ts';

export interface EnvelopeSource {
  readonly journal: Pick<Journal, 'heads' | 'read'>;
  /** The sealed event in a form that other programs can check; null: bad seal or no key. */
  envelope(event: StoredEvent): SealEnvelope | null;
}

/** The task whose artifact it is, if known. */
export interface Maker {
  readonly runId: RunId;
  readonly taskId: string;
}

/** How many runs are searched. */
const runsMax = 200;
const pageSize = 1_000;

/** The newest event with a good seal, of the given task if any; null = none. */
export async function envelopeOf(
  source: EnvelopeSource,
  id: ArtifactId,
  maker: Maker | null,
): Promise<ArtifactEnvelope | null> {
  const runIds = maker === null ? await newestRuns(source.journal) : [maker.runId];
  for (const runId of runIds) {
    const about = eventsAbout(source.journal, runId, id, maker?.taskId ?? null);
    for (const event of await about.catch(noneIfDamaged)) {
      const envelope = source.envelope(event);
      if (envelope !== null) return { artifact: id, ...envelope };
    }
  }
  return null;
}

async function newestRuns(journal: EnvelopeSource['journal']): Promise<string[]> {
  const heads = await journal.heads({ prefix: 'run_' });
  return heads
    .slice(-runsMax)
    .map(({ stream }) => stream)
    .reverse();
}

/** A damaged journal does not affect the artifact: it is exported without a seal. */
function noneIfDamaged(error: unknown): StoredEvent[] {
  if (isFault(error, 'journal_corrupt')) return [];
  throw error;
}

/** Newest first. */
async function eventsAbout(
  journal: EnvelopeSource['journal'],
  runId: string,
  id: ArtifactId,
  taskId: string | null,
): Promise<StoredEvent[]> {
  const found: StoredEvent[] = [];
  for (let after = 0; ; ) {
    const page = await journal.read(runId, after, pageSize);
    const last = page.at(-1);
    if (last === undefined) return found.reverse();
    found.push(...page.filter((event) => isAbout(event, id, taskId)));
    after = last.seq;
  }
}

function isAbout({ type, data }: StoredEvent, id: ArtifactId, taskId: string | null): boolean {
  // A cheap test first: most events are something else.
  if (!type.startsWith('artifact.stored') || !data.includes(id)) return false;
  const stamp = JSON.parse(data) as { readonly artifactId: string; readonly taskId: string };
  return stamp.artifactId === id && (taskId ?? stamp.taskId) === stamp.taskId;
}
