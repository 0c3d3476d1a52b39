// The facts of one run that an audit checks, folded from its stream: integrations with the trailers their commits must have,
// stored artifacts, and seals.

import type { KeyObject } from 'node:crypto';
import { provenanceOf } from '../engine/effects/provenance.ts';
import type { EvidenceItem, RunEvent } from '../model/core/events.ts';
import type { ArtifactId, AttemptId, LaunchId, RunId } from '../model/core/ids.ts';
import { attemptOf, taskOf } from '../model/core/lookup.ts';
import type { Run } from '../model/core/run.ts';
import { evolve } from '../model/evolve.ts';
import { readEvent } from '../model/format.ts';
import type { Trailer } from '../model/integrate/trailer.ts';
import { emptyRun } from '../model/new-state.ts';
import type { Journal, StoredEvent } from '../ports/journal.ts';
import { AssertionFailed } from '../std/assert.ts';
import { Fault } from '../std/fault.ts';
import { createSealJudge, type SealRecord } from './event-seals.ts';
import { type LandingRecord, landingKey, landingOf, noteLanding } from './landing-record.ts';

export interface RunRecord {
  readonly name: string;
  readonly events: number;
  /** The head of its branch; null = nothing is integrated. */
  readonly head: string | null;
  /** By attempt; and by `landing <n>` for a landing that made a merge commit of its own. */
  readonly integrations: ReadonlyMap<string, IntegrationRecord>;
  /** By number: those that made commits of the user's. */
  readonly landings: ReadonlyMap<number, LandingRecord>;
  readonly stored: readonly StoredRecord[];
  readonly seals: readonly SealRecord[];
}

export interface StoredRecord {
  readonly artifactId: ArtifactId;
  readonly kind: string;
  readonly bytes: number;
  readonly attemptId: AttemptId;
  readonly task: string;
}

export interface IntegrationRecord {
  /** An attempt whose repository contains the commit. */
  readonly attemptId: AttemptId;
  /** The trailers its commit must have, from the journal and the transcripts as they are now. */
  readonly trailers: readonly Trailer[];
  /** null = not integrated. */
  integrated: Integrated | null;
}

export interface Integrated {
  readonly commit: string;
  /** null = not recorded. */
  readonly tree: string | null;
  readonly items: readonly EvidenceItem[];
}

type TranscriptHash = (launchIds: readonly LaunchId[]) => Promise<string | null>;

/** What the journal is checked against while it is read. */
export interface RecordWitness {
  readonly transcriptHash: TranscriptHash;
  /** null: this home has no key. */
  readonly key: KeyObject | null;
}

/** Throws the Fault `journal_corrupt` if the stream cannot be read or folded. */
export async function readRunRecord(
  journal: Pick<Journal, 'read'>,
  runId: RunId,
  { transcriptHash, key }: RecordWitness,
): Promise<RunRecord> {
  const run = emptyRun();
  const integrations = new Map<string, IntegrationRecord>();
  const landings = new Map<number, LandingRecord>();
  const stored: StoredRecord[] = [];
  const seals: SealRecord[] = [];
  const judge = createSealJudge(key);
  let head: string | null = null;
  for (let page = await journal.read(runId, 0, pageEvents); page.length > 0; ) {
    for (const each of page) {
      const event = sensible(each, () => {
        const read = readEvent<RunEvent>(each, each.at);
        evolve(run, read);
        return read;
      });
      const state = judge(each);
      if (state !== null) seals.push({ seq: each.seq, state, ...aboutOf(run, event) });
      switch (event.type) {
        case 'integration.queued':
          integrations.set(event.attemptId, await integrationOf(run, event.attemptId, each, transcriptHash));
          break;
        case 'landing.asked':
          integrations.set(landingKey(event.n), await landingOf(run, each, integrations));
          break;
        case 'landing.ended':
          noteLanding(integrations, landings, event);
          break;
        case 'integration.succeeded': {
          head = event.head;
          const integration = integrations.get(event.attemptId);
          if (integration !== undefined) integration.integrated = integratedBy(event);
          break;
        }
        case 'artifact.stored': {
          const { artifactId, kind, bytes, attemptId, taskId } = event;
          stored.push({ artifactId, kind, bytes, attemptId, task: taskOf(run, taskId).spec.name });
          break;
        }
        default:
      }
    }
    page = await journal.read(runId, run.seq, pageEvents);
  }
  return { name: run.spec?.name ?? '', events: run.seq, head, integrations, landings, stored, seals };
}

function aboutOf(run: Run, event: RunEvent): Pick<SealRecord, 'about' | 'attemptId'> {
  switch (event.type) {
    case 'artifact.stored':
      return { about: `${event.kind} of "${taskOf(run, event.taskId).spec.name}"`, attemptId: event.attemptId };
    case 'message.sent': {
      const { id, kind, fromName, to } = event.message;
      return { about: `${id}, ${kind} from "${fromName}" to "${taskOf(run, to).spec.name}"`, attemptId: null };
    }
    case 'message.outbound': {
      const { message, toName, runName } = event;
      return { about: `${message.id}, from "${message.fromName}" to "${toName}" of run "${runName}"`, attemptId: null };
    }
    default:
      return { about: event.type, attemptId: null };
  }
}

/** With the state at the moment when its work passed. */
async function integrationOf(
  run: Run,
  attemptId: AttemptId,
  queued: StoredEvent,
  transcriptHash: TranscriptHash,
): Promise<IntegrationRecord> {
  const attempt = attemptOf(run, attemptId);
  const source = { journal: { read: async () => [queued] }, launches: { transcriptHash } };
  return { attemptId, trailers: await provenanceOf(source, run, attempt), integrated: null };
}

type Of<Type extends RunEvent['type']> = Extract<RunEvent, { type: Type }>;

const pageEvents = 1_000;

function integratedBy(event: Of<'integration.succeeded'>): Integrated {
  const { head: commit, tree = '', items = [] } = event;
  return { commit, tree: tree === '' ? null : tree, items };
}

/** Valid hashes do not guarantee valid content. */
function sensible<T>({ stream, seq }: StoredEvent, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (!(cause instanceof AssertionFailed || cause instanceof SyntaxError)) throw cause;
    throw new Fault('journal_corrupt', `event ${seq} of ${stream} is invalid: ${cause.message}`, { cause });
  }
}
