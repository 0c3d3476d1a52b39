// Verifies the events of a run against their hashes and reads what the rest of an audit compares with them.

import type { KeyObject } from 'node:crypto';
import type { LaunchId, RunId } from '../model/core/ids.ts';
import type { Journal } from '../ports/journal.ts';
import { isFault } from '../std/fault.ts';
import type { Report } from './audit-report.ts';
import { type RunRecord, readRunRecord } from './run-record.ts';

export interface JournalSource {
  readonly journal: Pick<Journal, 'read' | 'verify'>;
  transcriptHash(launchIds: readonly LaunchId[]): Promise<string | null>;
  /** null: this home has never signed anything. */
  readonly key: KeyObject | null;
}

/** null: the journal cannot be read, so commits cannot be checked against it. */
export async function auditJournal(source: JournalSource, runId: RunId, report: Report): Promise<RunRecord | null> {
  const broken = await source.journal.verify(runId);
  for (const { seq, detail } of broken) {
    report.defects.push({ what: `${runId} event ${seq}`, detail, means: brokenMeans });
  }
  if (broken.length > 0) return null;
  try {
    const record = await readRunRecord(source.journal, runId, source);
    const detail = `"${record.name}": ${record.events} events, every hash matches`;
    report.verified.push({ what: runId, detail });
    return record;
  } catch (error) {
    if (!isFault(error, 'journal_corrupt')) throw error;
    report.defects.push({ what: runId, detail: error.message, means: brokenMeans });
    return null;
  }
}

const brokenMeans = 'The journal was changed, so nothing else of the run can be verified. Restore it from a backup.';
