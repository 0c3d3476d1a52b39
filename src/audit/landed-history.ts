// Verifies a commit that a landing made, by the note on it: the note's signature, its claims against the journal, and that the
// commit is part of a landing in the journal. Such a commit is the user's, so nothing of Signalbox is in it but a trailer.

import type { KeyObject } from 'node:crypto';
import { type RepositoryPlace, readCommit } from '../git/commands/commit-object.ts';
import { git } from '../git/commands/git.ts';
import { attemptKey } from '../git/integrate/integration-commit.ts';
import { type LandedNote, type NoteLine, notesRef, readNote } from '../git/signing/signed-note.ts';
import { fingerprintOf } from '../git/signing/ssh-signature.ts';
import { gone, type Report, shortId } from './audit-report.ts';
import { auditEvidence, auditLines, auditTrailers } from './landed-commit.ts';
import type { LandingRecord } from './landing-record.ts';
import type { RunRecord } from './run-record.ts';

/** null: the repository has no note for it. */
export async function findNote(place: RepositoryPlace, id: string, signal: AbortSignal): Promise<string | null> {
  const args = ['notes', `--ref=${notesRef}`, 'show', id];
  const { status, stdout } = await git(args, { ...place, signal, accept: [0, 1, 128] });
  return status === 0 ? stdout : null;
}

/**
 * The claims of a landed commit, before they are compared with the journal. null: it cannot be verified, and the report says
 * why.
 */
export function auditNote(
  id: string,
  note: string | null,
  key: KeyObject | null,
  report: Report,
): (LandedNote & { readonly runId: string }) | null {
  const what = `commit ${shortId(id)}`;
  const read = note === null ? null : readNote(note, key);
  if (read === null) {
    report.defects.push({ what, ...withoutNote });
    return null;
  }
  if (read.verdict === 'good' && key !== null) {
    report.verified.push({ what, detail: `its note is signed by this Signalbox, key ${fingerprintOf(key)}` });
  } else report.defects.push({ what, ...flaws[read.verdict === 'good' ? 'foreign' : read.verdict] });
  if (read.commit !== id) {
    const detail = `is a copy of commit ${shortId(read.commit)}, rewritten since it landed: its note was copied along`;
    report.unchecked.push({ what, detail });
  }
  return { ...read, runId: firstWordOf(read.landing, 'Signalbox-Run') };
}

const withoutNote = {
  detail: `has no note at ${notesRef}`,
  means:
    'The notes were not fetched from where it comes from, or it was rewritten (rebased, amended, squashed) after it landed.',
} as const;

const flaws = {
  unsigned: { detail: 'its note is not signed', means: 'Signalbox signs its notes: somebody else wrote this one.' },
  foreign: {
    detail: 'its note is signed with a key other than that of this Signalbox',
    means: 'Another Signalbox landed it, or somebody else wrote the note.',
  },
  bad: { detail: 'its note has an invalid signature', means: 'The note was changed after it was signed.' },
} as const;

export interface LandedAudit {
  readonly id: string;
  readonly place: RepositoryPlace;
  readonly note: LandedNote;
  readonly record: RunRecord;
}

export async function auditLanded(
  { id, place, note, record }: LandedAudit,
  report: Report,
  signal: AbortSignal,
): Promise<void> {
  const what = `commit ${shortId(id)}`;
  for (const lines of note.integrations) {
    const [first, ...trailers] = lines;
    const commit = first?.value ?? '';
    const integration = record.integrations.get(firstWordOf(trailers, attemptKey));
    if (integration !== undefined && integration.integrated?.commit === commit) {
      auditTrailers({ id: commit, trailers }, integration, report);
    } else if (integration?.integrated)
      // A landing of one task makes its change again, without those that do not land.
      auditLines(what, trailers, integration.trailers, report);
    else report.defects.push({ what, detail: `the journal has no integration ${shortId(commit)}`, means: forged });
  }
  const landing = record.landings.get(Number(firstWordOf(note.landing, 'Signalbox-Landing')));
  if (landing === undefined) {
    report.defects.push({ what, detail: 'the journal has no such landing', means: forged });
    return;
  }
  auditLines(what, note.landing, landing.trailers, report);
  const found = await readCommit(place, id, signal);
  // For a rewritten copy, only its note can be verified.
  if (found === null || note.commit !== id) return;
  if (!(await isOf(place, id, landing, signal))) {
    report.defects.push({ what, detail: 'is not part of the landing in the journal', means: forged });
    return;
  }
  report.verified.push({ what, detail: `is part of landing ${landing.n} in ${landing.branch}, as in the journal` });
  if (id === landing.commit)
    auditEvidence({ ...found, id }, { integrated: { ...landing, tree: null } }, record, report);
}

/** Where the landings of a run moved branches; `place` is Signalbox's repository. */
export async function auditLandings(
  place: RepositoryPlace,
  record: RunRecord,
  report: Report,
  signal: AbortSignal,
): Promise<void> {
  for (const landing of record.landings.values()) {
    const { commit: id, branch, n } = landing;
    const commit = await readCommit(place, id, signal);
    const what = `commit ${shortId(id)}`;
    if (commit === null) report.defects.push({ what, ...gone });
    else {
      report.verified.push({ what, detail: `is where landing ${n} moved ${branch}, as in the journal` });
      auditEvidence({ ...commit, id }, { integrated: { ...landing, tree: null } }, record, report);
    }
  }
}

const forged = 'The note is forged: what it says is not true.';

/** Each commit names its parents, so the journal's entry of the last one covers all between. */
async function isOf(place: RepositoryPlace, id: string, { from, commit }: LandingRecord, signal: AbortSignal) {
  const has = async (one: string, other: string): Promise<boolean> => {
    const args = ['merge-base', '--is-ancestor', one, other];
    return (await git(args, { ...place, signal, accept: [0, 1, 128] })).status === 0;
  };
  return (await has(id, commit)) && (from === null || !(await has(id, from)));
}

function firstWordOf(lines: readonly NoteLine[], name: string): string {
  return lines.find(({ key }) => key === name)?.value.split(' ')[0] ?? '';
}
