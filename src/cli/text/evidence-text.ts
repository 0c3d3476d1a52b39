// Evidence and integration results as one line. Pure.

import { printedText } from '../../std/plain-text.ts';
import type { RunEvent } from '../../wire/event-names.ts';
import type { EvidenceView } from '../../wire/evidence-views.ts';
import { overlapLines } from './landing-text.ts';

type Of<Type extends RunEvent['type']> = Extract<RunEvent, { type: Type }>;
type Item = Of<'evidence.recorded'>['items'][number];

/** Empty if everything passed without remark. */
export function evidenceWords(items: readonly Item[]): string {
  return items.flatMap(itemWords).join('; ');
}

/** A check of the plan's or the person's, not Signalbox's own evidence, whose names have spaces. */
export function isCheck({ check }: Pick<EvidenceView, 'check'>): boolean {
  return !check.includes(' ');
}

/** Evidence other than checks has names with spaces; it is mentioned only if it failed or has a remark. */
function itemWords({ check, passed, detail, runs = 1 }: Item): string[] {
  if (check.includes(' ')) return passed && !detail.includes('not committed') ? [] : [`${check}: ${detail}`];
  if (!passed) return [`check ${check} failed: ${detail}`];
  return [runs > 1 ? `check ${check} passed (${detail})` : `check ${check} passed`];
}

export function integrationText(
  event: Of<'integration.succeeded' | 'integration.conflicted' | 'integration.failed'>,
): string {
  switch (event.type) {
    case 'integration.succeeded':
      return [`integrated as ${event.head.slice(0, 7)}`, ...overlapLines(event.overlaps ?? [])].join('; ');
    case 'integration.conflicted':
      return `conflicts with work integrated meanwhile: ${event.paths.slice(0, pathsShown).join(', ')}`;
    case 'integration.failed':
      return `not integrated: ${evidenceWords(event.items.filter(({ passed }) => !passed))}`;
  }
}

const pathsShown = 5;

/** The last lines of what a failed check printed, indented; none if its outcome says all of it. */
export function printedLines({ printed, detail }: Pick<EvidenceView, 'printed' | 'detail'>, indent: string): string[] {
  if (printed === null || detail.includes(printed.trim())) return [];
  const lines = printedText(printed)
    .split('\n')
    .filter((line) => line.trim() !== '');
  return lines
    .slice(-linesShown)
    .map((line) => `${indent}| ${line.length > lineMax ? `${line.slice(0, lineMax)}…` : line}`);
}

const linesShown = 8;
const lineMax = 160;
