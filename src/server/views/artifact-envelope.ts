// What goes with an artifact that is taken out: the sealed event by which the record took it up, so that it can be verified
// where there is no journal. Reads only.

import type { ArtifactId, RunId } from '../../model/core/ids.ts';
import type { Journal, StoredEvent } from '../../ports/journal.ts';
import { isFault } from '../../std/fault.ts';
import type { ArtifactEnvelope, SealEnvelope } from '../../wire/artifact-views.ts';

export interface EnvelopeSource {
  readonly journal: Pick<Journal, 'heads' | 'read'>;
  /** The sealed event in a form that other programs can check; null: its seal does not fit it, or there is no key. */
  envelope(event: StoredEvent): SealEnvelope | null;
}

/** Whose it is, where that was asked for. */
export interface Maker {
  readonly runId: RunId;
  readonly taskId: string;
}

/** How far back it is looked for. */
const runsMax = 200;
const pageSize = 1_000;

/** The newest that took it up, or its maker's; null where none is found that has a good seal. */
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

/** The artifact itself is whole whatever became of the record: it goes without. */
function noneIfDamaged(error: unknown): StoredEvent[] {
  if (isFault(error, 'journal_corrupt')) return [];
  throw error;
}

/** The newest first. */
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
  // Most events are not: they are not read for that.
  if (!type.startsWith('artifact.stored') || !data.includes(id)) return false;
  const stamp = JSON.parse(data) as { readonly artifactId: string; readonly taskId: string };
  return stamp.artifactId === id && (taskId ?? stamp.taskId) === stamp.taskId;
}
