// Verifies one integrated commit against the journal: signature, trailers, and the checks of its tree.

import type { KeyObject } from 'node:crypto';
import type { CommitObject } from '../git/commands/commit-object.ts';
import { verifyCommit } from '../git/signing/signed-commit.ts';
import { fingerprintOf } from '../git/signing/ssh-signature.ts';
import { trailerPrefix } from '../model/integrate/trailer.ts';
import { type Report, shortId } from './audit-report.ts';
import type { IntegrationRecord, RunRecord } from './run-record.ts';

export interface IntegratedCommit extends CommitObject {
  readonly id: string;
}

export function auditSignature(commit: IntegratedCommit, key: KeyObject | null, report: Report): void {
  const what = `commit ${shortId(commit.id)}`;
  if (key === null) {
    const means = 'It was integrated by another Signalbox, or the key was removed.';
    report.defects.push({ what, detail: 'its signature cannot be checked: this home has no signing key', means });
    return;
  }
  const verdict = verifyCommit(commit.bytes, key);
  if (verdict === 'good') report.verified.push({ what, detail: `signed by this Signalbox, key ${fingerprintOf(key)}` });
  else report.defects.push({ what, ...flaws[verdict] });
}

const flaws = {
  unsigned: {
    detail: 'is not signed',
    means: 'Signalbox signs what it integrates: somebody else made or rewrote this commit.',
  },
  foreign: {
    detail: 'is signed with a key other than that of this Signalbox',
    means: 'Somebody else signed it, or it was integrated before this home had its key.',
  },
  bad: {
    detail: 'has an invalid signature',
    means: 'It was changed after it was signed.',
  },
} as const;

/** Compares its trailers with the journal, and checks that the journal names this commit. */
export function auditTrailers(
  commit: Pick<IntegratedCommit, 'id' | 'trailers'>,
  { trailers, integrated }: IntegrationRecord,
  report: Report,
): void {
  const what = `commit ${shortId(commit.id)}`;
  auditLines(what, commit.trailers, trailers, report);
  if (integrated?.commit === commit.id) report.verified.push({ what, detail: 'is the commit recorded in the journal' });
  else report.defects.push({ what, ...strangerOf(integrated?.commit ?? null) });
}

type Lines = readonly { readonly key: string; readonly value: string }[];

/** Compares what a commit or note says with what the journal has. */
export function auditLines(what: string, lines: Lines, trailers: Lines, report: Report): void {
  const said = lines.filter(({ key }) => key.startsWith(trailerPrefix)).map(lineOf);
  const recorded = trailers.map(lineOf);
  const strange = said.filter((line) => !recorded.includes(line));
  const missing = recorded.filter((line) => !said.includes(line));
  for (const line of strange) {
    const key = line.slice(0, line.indexOf(':'));
    const instead = missing.find((each) => each.startsWith(`${key}:`));
    report.defects.push({
      what,
      detail: `has trailer "${line}", the journal has ${instead === undefined ? 'no such trailer' : `"${instead}"`}`,
      means: meaningOf(key),
    });
  }
  const told = new Set(strange.map((line) => line.slice(0, line.indexOf(':'))));
  for (const line of missing.filter((each) => !told.has(each.slice(0, each.indexOf(':'))))) {
    report.defects.push({ what, detail: `lacks the trailer "${line}" of the journal`, means: meaningOf('') });
  }
  if (strange.length + missing.length === 0) {
    const anchor = trailers.find(({ key }) => key === `${trailerPrefix}Journal`)?.value ?? '';
    const [event = ''] = anchor.split(' ');
    report.verified.push({ what, detail: `all ${said.length} trailers match the journal, anchored at ${event}` });
  }
}

/** The branch checks passed on exactly this tree. Of several commits integrated together only the last tree was checked. */
export function auditEvidence(
  commit: IntegratedCommit,
  { integrated }: Pick<IntegrationRecord, 'integrated'>,
  { integrations }: Pick<RunRecord, 'integrations'>,
  report: Report,
): void {
  const what = `commit ${shortId(commit.id)}`;
  const { tree = null, items = [] } = integrated ?? {};
  const means = 'The checked tree is not the tree of this commit.';
  if (tree !== null && tree !== commit.tree) {
    const detail = `has tree ${shortId(commit.tree)}, the journal has ${shortId(tree)}`;
    report.defects.push({ what, detail, means });
  }
  const trees = new Set([commit.tree, ...Array.from(integrations.values(), (each) => each.integrated?.tree ?? '')]);
  const wrong = items.filter((item) => !item.passed || (item.tree !== undefined && !trees.has(item.tree)));
  for (const { check, passed, tree: on = '' } of wrong) {
    const detail = passed ? `check "${check}" passed on tree ${shortId(on)}` : `check "${check}" did not pass`;
    report.defects.push({ what, detail, means });
  }
  if (items.length === 0 || wrong.length > 0) return;
  const names = items.map(({ check, tree: on = '' }) => (on === '' ? check : `${check} on tree ${shortId(on)}`));
  report.verified.push({ what, detail: `branch checks passed: ${names.join(', ')}` });
}

const lineOf = ({ key, value }: { readonly key: string; readonly value: string }): string => `${key}: ${value}`;

function meaningOf(key: string): string {
  switch (key) {
    case `${trailerPrefix}Journal`:
      return 'The journal was rewritten after this integration: its hashes match each other, but not the commits in git.';
    case `${trailerPrefix}Transcript`:
      return 'The transcript was changed or removed after this integration.';
    default:
      return 'The commit or the journal was changed after this integration.';
  }
}

function strangerOf(recorded: string | null): { readonly detail: string; readonly means: string } {
  if (recorded === null) {
    return {
      detail: 'the journal has no such integration',
      means: 'The commit is forged from what the journal says.',
    };
  }
  return {
    detail: `the journal has commit ${shortId(recorded)} for this work`,
    means: 'It is a copy: amended, rebased or made by hand.',
  };
}
