// Verifies the seals of a run's events with the key. Events from before the first seal are reported as unchecked; a missing
// seal after that is a defect.

import type { KeyObject } from 'node:crypto';
import { isSealed } from '../engine/seal-events.ts';
import { fingerprintOf, sealFits } from '../git/signing/ssh-signature.ts';
import type { AttemptId } from '../model/core/ids.ts';
import type { StoredEvent } from '../ports/journal.ts';
import { sealedText, sealOf } from '../store/sealed-text.ts';
import type { Report } from './audit-report.ts';

/** `older`: no earlier event has a seal either. `unknown`: there is no key. */
export type SealState = 'good' | 'bad' | 'missing' | 'older' | 'unknown';

export interface SealRecord {
  readonly seq: number;
  readonly state: SealState;
  /** What was sealed, for people. */
  readonly about: string;
  /** The attempt it belongs to. */
  readonly attemptId: AttemptId | null;
}

/** Judges the events of one run in order; null: events of this type are not sealed. */
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
    const are = good === 1 ? '1 valid seal' : `${good} valid seals`;
    report.verified.push({ what, detail: `${are}, key ${fingerprintOf(key)}` });
  }
  const older = of('older');
  if (older.length > 0) {
    const detail = `no seal on ${named(older)}: recorded before the first seal`;
    report.unchecked.push({ what, detail });
  }
  const unknown = of('unknown');
  if (unknown.length > 0) {
    const detail = `the seals of ${named(unknown)} cannot be checked: this home has no signing key`;
    report.defects.push({ what, detail, means: 'The key was removed, or the journal belongs to another Signalbox.' });
  }
  for (const { seq, about } of of('missing')) {
    report.defects.push({ what: `${what} event ${seq}`, detail: `has no seal: ${about}`, means: missingMeans });
  }
  for (const { seq, about } of of('bad')) {
    const detail = `has an invalid seal: ${about}`;
    report.defects.push({ what: `${what} event ${seq}`, detail, means: good > 0 ? badMeans : allBadMeans });
  }
}

const missingMeans =
  'Earlier events have one: the seal was removed, somebody else wrote the event, or the key was unusable at the time.';
const badMeans = 'It was changed after Signalbox recorded it, or somebody else wrote it: do not rely on it.';
const allBadMeans =
  'No seal of the run matches this key: it was recorded with another key, or somebody without the key wrote it.';

const namedMax = 5;

function named(seals: readonly SealRecord[]): string {
  const first = seals.slice(0, namedMax).map(({ seq, about }) => `event ${seq} (${about})`);
  const more = seals.length - first.length;
  return `${first.join(', ')}${more === 0 ? '' : ` and ${more} more`}`;
}
