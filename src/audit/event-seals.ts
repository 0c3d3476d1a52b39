// The seals of a run's events held against the key. What was recorded before there were seals is told, not blamed; what lacks
// one after others had theirs is.

import type { KeyObject } from 'node:crypto';
import { isSealed } from '../engine/seal-events.ts';
import { fingerprintOf, sealFits } from '../git/signing/ssh-signature.ts';
import type { AttemptId } from '../model/core/ids.ts';
import type { StoredEvent } from '../ports/journal.ts';
import { sealedText, sealOf } from '../store/sealed-text.ts';
import type { Report } from './audit-report.ts';

/** `older`: no event before it had one either. `unknown`: there is no key. */
export type SealState = 'good' | 'bad' | 'missing' | 'older' | 'unknown';

export interface SealRecord {
  readonly seq: number;
  readonly state: SealState;
  /** What was sealed, as people call it. */
  readonly about: string;
  /** Whose it is. */
  readonly attemptId: AttemptId | null;
}

/** Judges the events of one run in their order; null: such an event has no seal. */
export function createSealJudge(key: KeyObject | null): (event: StoredEvent) => SealState | null {
  let begun = false;
  return (event) => {
    if (!isSealed(event.type)) return null;
    const seal = sealOf(event);
    if (seal === null) return begun ? 'missing' : 'older';
    begun = true;
    if (key === null) return 'unknown';
    return sealFits(key, sealedText(event), seal) ? 'good' : 'bad';
  };
}

export function auditSeals(what: string, seals: readonly SealRecord[], key: KeyObject | null, report: Report): void {
  const of = (wanted: SealState): readonly SealRecord[] => seals.filter(({ state }) => state === wanted);
  const good = of('good').length;
  if (good > 0 && key !== null) {
    const are = good === 1 ? '1 seal is' : `${good} seals are`;
    report.verified.push({ what, detail: `${are} good, key ${fingerprintOf(key)}` });
  }
  const older = of('older');
  if (older.length > 0) {
    const detail = `no seal to check on ${named(older)}: recorded before there were seals`;
    report.unchecked.push({ what, detail });
  }
  const unknown = of('unknown');
  if (unknown.length > 0) {
    const detail = `the seals of ${named(unknown)} cannot be checked: this home has no signing key`;
    report.defects.push({ what, detail, means: 'The key was taken away, or the record is that of another Signalbox.' });
  }
  for (const { seq, about } of of('missing')) {
    report.defects.push({ what: `${what} event ${seq}`, detail: `has no seal: ${about}`, means: missingMeans });
  }
  for (const { seq, about } of of('bad')) {
    const detail = `has a seal that does not fit it: ${about}`;
    report.defects.push({ what: `${what} event ${seq}`, detail, means: good > 0 ? badMeans : allBadMeans });
  }
}

const missingMeans =
  'Those before it have one: its seal was taken away, somebody else wrote it, or the key could not be used at the time.';
const badMeans = 'It was changed after Signalbox recorded it, or somebody else wrote it: do not rely on what it says.';
const allBadMeans =
  'No seal of the run fits this key: it was recorded under another key, or somebody wrote it who does not have the key.';

const namedMax = 5;

function named(seals: readonly SealRecord[]): string {
  const first = seals.slice(0, namedMax).map(({ seq, about }) => `event ${seq} (${about})`);
  const more = seals.length - first.length;
  return `${first.join(', ')}${more === 0 ? '' : ` and ${more} more`}`;
}
