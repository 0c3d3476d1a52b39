// One integrated commit held against the record: who signed it, what it says of itself, and what was proved of its tree.

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
    const means = 'Nothing was ever signed here: it was integrated by another Signalbox, or the key was taken away.';
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
    means: 'Signalbox signs what it integrates: somebody else made this commit, or made it anew.',
  },
  foreign: {
    detail: 'is signed with another key than that of this Signalbox',
    means: 'Somebody else signed it, or it was integrated before this home had its key.',
  },
  bad: {
    detail: 'has a signature that does not fit it',
    means: 'It was changed after it was signed.',
  },
} as const;

/** What it says, line by line, and whether it is the commit that the journal names. */
export function auditTrailers(
  commit: IntegratedCommit,
  { trailers, integrated }: IntegrationRecord,
  report: Report,
): void {
  const what = `commit ${shortId(commit.id)}`;
  const said = commit.trailers.filter(({ key }) => key.startsWith(trailerPrefix)).map(lineOf);
  const recorded = trailers.map(lineOf);
  const strange = said.filter((line) => !recorded.includes(line));
  const missing = recorded.filter((line) => !said.includes(line));
  for (const line of strange) {
    const key = line.slice(0, line.indexOf(':'));
    const instead = missing.find((each) => each.startsWith(`${key}:`));
    report.defects.push({
      what,
      detail: `says "${line}", the record ${instead === undefined ? 'nothing of the kind' : `"${instead}"`}`,
      means: meaningOf(key),
    });
  }
  const told = new Set(strange.map((line) => line.slice(0, line.indexOf(':'))));
  for (const line of missing.filter((each) => !told.has(each.slice(0, each.indexOf(':'))))) {
    report.defects.push({ what, detail: `does not say "${line}", which the record does`, means: meaningOf('') });
  }
  if (strange.length + missing.length === 0) {
    const anchor = trailers.find(({ key }) => key === `${trailerPrefix}Journal`)?.value ?? '';
    const [event = ''] = anchor.split(' ');
    report.verified.push({ what, detail: `all ${said.length} trailers agree with the record, anchored at ${event}` });
  }
  if (integrated?.commit === commit.id) report.verified.push({ what, detail: 'is the commit that the journal names' });
  else report.defects.push({ what, ...strangerOf(integrated?.commit ?? null) });
}

/**
 * The checks of the branch passed on exactly the tree that it has. Of several that was integrated together the last one's was tested:
 * the branch never stood at those before it.
 */
export function auditEvidence(
  commit: IntegratedCommit,
  { integrated }: IntegrationRecord,
  { integrations }: Pick<RunRecord, 'integrations'>,
  report: Report,
): void {
  const what = `commit ${shortId(commit.id)}`;
  const { tree = null, items = [] } = integrated ?? {};
  const means = 'What was tested is not what is there.';
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
  report.verified.push({ what, detail: `the checks of the branch passed: ${names.join(', ')}` });
}

const lineOf = ({ key, value }: { readonly key: string; readonly value: string }): string => `${key}: ${value}`;

function meaningOf(key: string): string {
  switch (key) {
    case `${trailerPrefix}Journal`:
      return 'The journal was rewritten after this integrated: its hashes agree among themselves, not with what git has.';
    case `${trailerPrefix}Transcript`:
      return 'What the agent printed was changed or taken away after this integrated.';
    default:
      return 'The commit or the record was changed after this integrated.';
  }
}

function strangerOf(recorded: string | null): { readonly detail: string; readonly means: string } {
  if (recorded === null) {
    return {
      detail: 'the journal knows of no such integration',
      means: 'Somebody made it up from what the record says.',
    };
  }
  return {
    detail: `the journal names commit ${shortId(recorded)} for this work`,
    means: 'It is a copy: amended, rebased or made by hand.',
  };
}
