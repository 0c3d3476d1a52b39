// Verifies a run or one integrated commit against the journal, the signing key, the transcripts and the artifacts. Read-only,
// needs no daemon, and never counts as verified what it could not check.

import type { KeyObject } from 'node:crypto';
import { join } from 'node:path';
import { readCommit, readCommits } from '../git/commands/commit-object.ts';
import { branchRefOf } from '../git/commands/layout.ts';
import { readRef } from '../git/commands/refs.ts';
import { attemptKey } from '../git/integrate/integration-commit.ts';
import type { Signing } from '../git/signing/signing-key.ts';
import { isRunId, type LaunchId, type RunId } from '../model/core/ids.ts';
import { trailerPrefix } from '../model/integrate/trailer.ts';
import type { Journal } from '../ports/journal.ts';
import { auditJournal } from './audit-journal.ts';
import { emptyReport, gone, type Report, shortId } from './audit-report.ts';
import { auditSeals } from './event-seals.ts';
import { findTarget, type Target } from './find-target.ts';
import { auditEvidence, auditSignature, auditTrailers, type IntegratedCommit } from './landed-commit.ts';
import { auditLanded, auditLandings, auditNote } from './landed-history.ts';
import { landingKey } from './landing-record.ts';
import type { RunRecord } from './run-record.ts';
import { auditArtifacts, type ReadArtifact } from './stored-artifacts.ts';

export interface AuditSource {
  readonly journal: Pick<Journal, 'heads' | 'head' | 'read' | 'verify'>;
  readonly signing: Pick<Signing, 'publicKey'>;
  /** The directory of repositories and attempts. */
  readonly workRoot: string;
  /** The user's current directory. */
  readonly cwd: string;
  transcriptHash(launchIds: readonly LaunchId[]): Promise<string | null>;
  readonly artifact: ReadArtifact;
}

export async function audit(source: AuditSource, word: string, signal: AbortSignal): Promise<Report> {
  const target = await findTarget(word, { ...source, projects: join(source.workRoot, 'projects') }, signal);
  const report = emptyReport();
  const known = { ...source, key: source.signing.publicKey() };
  if (target.kind === 'run') await auditRun(known, target.runId, report, signal);
  else if (target.kind === 'landed') await auditLandedOne(known, target, report, signal);
  else await auditOne(known, target, report, signal);
  return report;
}

interface Source extends AuditSource {
  /** null: this home has never signed anything. */
  readonly key: KeyObject | null;
}

async function auditRun(source: Source, runId: RunId, report: Report, signal: AbortSignal): Promise<void> {
  const record = await auditJournal(source, runId, report);
  if (record === null) return;
  auditSeals(runId, record.seals, source.key, report);
  await auditIntegrations(source, runId, record, report, signal);
  await auditArtifacts(record.stored, source.artifact, report);
}

/** All work of a run is in one repository. */
async function auditIntegrations(
  source: Source,
  runId: RunId,
  record: RunRecord,
  report: Report,
  signal: AbortSignal,
): Promise<void> {
  const integrations = [...record.integrations].flatMap(([key, { attemptId, integrated }]) =>
    integrated === null ? [] : [{ key, attemptId, id: integrated.commit }],
  );
  const [first] = integrations;
  if (first === undefined) return;
  const place = { env: { GIT_DIR: join(source.workRoot, 'attempts', first.attemptId) } };
  const commits = await readCommits(
    place,
    integrations.map(({ id }) => id),
    signal,
  );
  for (const { key, id } of integrations) {
    const commit = commits.get(id);
    if (commit !== undefined) auditCommit({ ...commit, id }, record, key, source, report);
    else report.defects.push({ what: `commit ${shortId(id)}`, ...gone });
  }
  await auditLandings(place, record, report, signal);
  await auditBranch(place.env.GIT_DIR, runId, record, report, signal);
}

async function auditOne(
  source: Source,
  { asked, commit: id, place }: Extract<Target, { kind: 'commit' }>,
  report: Report,
  signal: AbortSignal,
): Promise<void> {
  if (asked !== id) {
    report.verified.push({ what: `commit ${shortId(asked)}`, detail: `was integrated by commit ${shortId(id)}` });
  }
  const found = await readCommit(place, id, signal);
  if (found === null) return;
  const commit = { ...found, id };
  const runId = firstWord(commit, 'Run');
  const known = isRunId(runId) && (await source.journal.head(runId)) !== null;
  if (!known) {
    const means = 'It was integrated by another Signalbox, or the journal of its run is gone.';
    report.defects.push({ what: `commit ${shortId(id)}`, detail: `the journal has no run "${runId}"`, means });
    return auditSignature(commit, source.key, report);
  }
  const record = await auditJournal(source, runId, report);
  if (record === null) return auditSignature(commit, source.key, report);
  const attemptId = firstWord(commit, 'Attempt');
  const key = attemptId === '' ? landingKey(firstWord(commit, 'Landing')) : attemptId;
  auditCommit(commit, record, key, source, report);
  const seals = record.seals.filter((each) => each.attemptId === attemptId);
  auditSeals(runId, seals, source.key, report);
  const stored = record.stored.filter((each) => each.attemptId === attemptId);
  await auditArtifacts(stored, source.artifact, report);
}

/** A commit of the user's that a landing made. */
async function auditLandedOne(
  source: Source,
  { commit: id, place, note: text }: Extract<Target, { kind: 'landed' }>,
  report: Report,
  signal: AbortSignal,
): Promise<void> {
  const note = auditNote(id, text, source.key, report);
  if (note === null) return;
  const { runId } = note;
  if (!isRunId(runId) || (await source.journal.head(runId)) === null) {
    const means = 'It was landed by another Signalbox, or the journal of its run is gone.';
    report.defects.push({ what: `commit ${shortId(id)}`, detail: `the journal has no run "${runId}"`, means });
    return;
  }
  const record = await auditJournal(source, runId, report);
  if (record === null) return;
  await auditLanded({ id, place, note, record }, report, signal);
  const attempts = new Set(
    note.integrations.flatMap((lines) => lines.filter(({ key }) => key === attemptKey).map(({ value }) => value)),
  );
  auditSeals(
    runId,
    record.seals.filter((each) => each.attemptId !== null && attempts.has(each.attemptId)),
    source.key,
    report,
  );
  await auditArtifacts(
    record.stored.filter((each) => attempts.has(each.attemptId)),
    source.artifact,
    report,
  );
}

function auditCommit(
  commit: IntegratedCommit,
  record: RunRecord,
  key: string,
  { key: publicKey }: Source,
  report: Report,
): void {
  auditSignature(commit, publicKey, report);
  const integration = record.integrations.get(key);
  if (integration === undefined) {
    const detail = `the journal has no integration of "${key}"`;
    const means = 'The commit is forged: its trailers are not true.';
    report.defects.push({ what: `commit ${shortId(commit.id)}`, detail, means });
    return;
  }
  auditTrailers(commit, integration, report);
  auditEvidence(commit, integration, record, report);
}

/** Checking the head is enough: each commit names its parent. */
async function auditBranch(
  gitDir: string,
  runId: RunId,
  { head }: RunRecord,
  report: Report,
  signal: AbortSignal,
): Promise<void> {
  const ref = branchRefOf(runId);
  const there = await readRef(gitDir, ref, signal);
  if (there === head) report.verified.push({ what: ref, detail: `is at ${shortId(head ?? '')}, as in the journal` });
  else {
    const detail = `is at ${there === null ? 'nothing' : shortId(there)}, the journal has it at ${shortId(head ?? '')}`;
    report.defects.push({ what: ref, detail, means: 'Somebody moved the branch; its commits may still exist.' });
  }
}

function firstWord({ trailers }: IntegratedCommit, name: string): string {
  return trailers.find(({ key }) => key === `${trailerPrefix}${name}`)?.value.split(' ')[0] ?? '';
}
