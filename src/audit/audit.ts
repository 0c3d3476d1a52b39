// Holds a run, or one landed commit, against the journal, the signing key, the transcripts and the artifacts. It reads only,
// needs no daemon, and what it cannot check it never counts as verified.

import { join } from 'node:path';
import { type RepositoryPlace, readCommit } from '../git/commit-object.ts';
import { branchRefOf } from '../git/layout.ts';
import { readRef } from '../git/refs.ts';
import type { Signing } from '../git/signing.ts';
import { type AttemptId, isRunId, type LaunchId, type RunId } from '../model/ids.ts';
import { trailerPrefix } from '../model/trailer.ts';
import { isFault } from '../std/fault.ts';
import type { Journal } from '../store/journal.ts';
import { findTarget, type Target } from './find-target.ts';
import { auditEvidence, auditSignature, auditTrailers, type LandedCommit } from './landed-commit.ts';
import { emptyReport, type Report, shortId } from './report.ts';
import { deliveryKey, type RunRecord, readRunRecord } from './run-record.ts';
import { auditArtifacts, type ReadArtifact } from './stored-artifacts.ts';

export interface AuditSource {
  readonly journal: Pick<Journal, 'heads' | 'head' | 'read' | 'verify'>;
  readonly signing: Pick<Signing, 'publicKey'>;
  /** Where the repositories and attempts are. */
  readonly workRoot: string;
  /** Where the person is. */
  readonly cwd: string;
  transcriptHash(launchIds: readonly LaunchId[]): Promise<string | null>;
  readonly artifact: ReadArtifact;
}

export async function audit(source: AuditSource, word: string, signal: AbortSignal): Promise<Report> {
  const places = { ...source, projects: join(source.workRoot, 'projects') };
  const target = await findTarget(word, places, signal);
  const report = emptyReport();
  if (target.kind === 'run') await auditRun(source, target.runId, report, signal);
  else await auditOne(source, target, report, signal);
  return report;
}

async function auditRun(source: AuditSource, runId: RunId, report: Report, signal: AbortSignal): Promise<void> {
  const record = await auditJournal(source, runId, report);
  if (record === null) return;
  const landings = [...record.landings].filter(([, { landed }]) => landed !== null);
  for (const [key, landing] of landings) {
    const id = landing.landed?.commit ?? '';
    const commit = await readCommit(repositoryOf(source, landing.attemptId), id, signal);
    if (commit === null) {
      const means = 'The work that landed there is lost, unless another repository has it.';
      report.defects.push({ what: `commit ${shortId(id)}`, detail: 'is gone from the repository of Signalbox', means });
    } else auditCommit({ ...commit, id }, record, key, source, report);
  }
  const [first] = landings;
  if (first !== undefined) await auditBranch(source, runId, record, first[1].attemptId, report, signal);
  await auditArtifacts(record.stored, source.artifact, report);
}

async function auditOne(
  source: AuditSource,
  { asked, commit: id, place }: Extract<Target, { kind: 'commit' }>,
  report: Report,
  signal: AbortSignal,
): Promise<void> {
  if (asked !== id) {
    report.verified.push({ what: `commit ${shortId(asked)}`, detail: `was landed by commit ${shortId(id)}` });
  }
  const found = await readCommit(place, id, signal);
  if (found === null) return;
  const commit = { ...found, id };
  const runId = firstWord(commit, 'Run');
  const known = isRunId(runId) && (await source.journal.head(runId)) !== null;
  if (!known) {
    const means = 'It was landed by another Signalbox, or this record of it is gone.';
    report.defects.push({ what: `commit ${shortId(id)}`, detail: `the journal has no run "${runId}"`, means });
    return auditSignature(commit, source.signing.publicKey(), report);
  }
  const record = await auditJournal(source, runId, report);
  if (record === null) return auditSignature(commit, source.signing.publicKey(), report);
  const attemptId = firstWord(commit, 'Attempt');
  const key = attemptId === '' ? deliveryKey(firstWord(commit, 'Delivery')) : attemptId;
  auditCommit(commit, record, key, source, report);
  const stored = record.stored.filter((each) => each.attemptId === attemptId);
  await auditArtifacts(stored, source.artifact, report);
}

/** null where the record cannot be read: then there is nothing to hold commits against. */
async function auditJournal(source: AuditSource, runId: RunId, report: Report): Promise<RunRecord | null> {
  const broken = await source.journal.verify(runId);
  for (const { seq, detail } of broken) {
    report.defects.push({ what: `${runId} event ${seq}`, detail, means: brokenMeans });
  }
  if (broken.length > 0) return null;
  try {
    const record = await readRunRecord(source.journal, runId, source.transcriptHash);
    const detail = `"${record.name}": ${record.events} events, every hash agrees`;
    report.verified.push({ what: runId, detail });
    return record;
  } catch (error) {
    if (!isFault(error, 'journal_corrupt')) throw error;
    report.defects.push({ what: runId, detail: error.message, means: brokenMeans });
    return null;
  }
}

const brokenMeans = 'The record was changed; nothing else of the run can be held against it. Restore it from a backup.';

function auditCommit(
  commit: LandedCommit,
  record: RunRecord,
  key: string,
  { signing }: AuditSource,
  report: Report,
): void {
  auditSignature(commit, signing.publicKey(), report);
  const landing = record.landings.get(key);
  if (landing === undefined) {
    const detail = `the journal has no landing of "${key}"`;
    const means = 'Somebody made it up: what the commit says of itself is not so.';
    report.defects.push({ what: `commit ${shortId(commit.id)}`, detail, means });
    return;
  }
  auditTrailers(commit, landing, report);
  auditEvidence(commit, landing, record, report);
}

/** What its first parents lead to is what the record says, since each commit names the one before it. */
async function auditBranch(
  source: AuditSource,
  runId: RunId,
  { head }: RunRecord,
  attemptId: AttemptId,
  report: Report,
  signal: AbortSignal,
): Promise<void> {
  const ref = branchRefOf(runId);
  const there = await readRef(repositoryOf(source, attemptId).env.GIT_DIR, ref, signal);
  if (there === head)
    report.verified.push({ what: ref, detail: `is at ${shortId(head ?? '')}, where the journal has it` });
  else {
    const detail = `is at ${there === null ? 'nothing' : shortId(there)}, the journal has it at ${shortId(head ?? '')}`;
    report.defects.push({ what: ref, detail, means: 'Somebody moved the branch: its commits may still be there.' });
  }
}

function repositoryOf({ workRoot }: AuditSource, attemptId: AttemptId) {
  return { env: { GIT_DIR: join(workRoot, 'attempts', attemptId) } } satisfies RepositoryPlace;
}

function firstWord({ trailers }: LandedCommit, name: string): string {
  return trailers.find(({ key }) => key === `${trailerPrefix}${name}`)?.value.split(' ')[0] ?? '';
}
