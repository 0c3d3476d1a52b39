// Evidence about an attempt's work that needs no command: it is listed beside the evidence of checks and paths. The names have
// spaces, so no check can have them.

import type { Attempt } from '../core/attempt.ts';
import type { EvidenceItem } from '../core/events.ts';
import type { TaskSpec } from '../core/spec.ts';
import { schemaOf } from './typed-output.ts';

/** For an attempt that ended well and whose work is saved as `commit`. */
export function ownEvidence(spec: TaskSpec, attempt: Attempt, commit: string, uncommitted: number): EvidenceItem[] {
  const items: EvidenceItem[] = [];
  if (schemaOf(spec) !== null) items.push(passed('typed output', 'it fits its schema'));
  if (spec.keeps) items.push(passed('committed work', committedWords(commit, uncommitted)));
  items.push(passed('background work', `process ${attempt.launches.current?.id ?? ''} ended and left nothing open`));
  return items;
}

function committedWords(commit: string, uncommitted: number): string {
  const at = commit.slice(0, idShown);
  if (uncommitted === 0) return `everything is in ${at}`;
  const paths = uncommitted === 1 ? '1 path was' : `${uncommitted} paths were`;
  return `${paths} not committed; Signalbox saved ${uncommitted === 1 ? 'it' : 'them'} in ${at}`;
}

const idShown = 12;

function passed(check: string, detail: string): EvidenceItem {
  return { check, passed: true, detail };
}
