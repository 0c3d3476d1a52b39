// What is told in a line of what proves work, and of how it integrated.

import type { RunEvent } from '../../wire/event-names.ts';

type Of<Type extends RunEvent['type']> = Extract<RunEvent, { type: Type }>;
type Item = Of<'evidence.recorded'>['items'][number];

/** Empty where all is as one would think. */
export function evidenceWords(items: readonly Item[]): string {
  return items.flatMap(itemWords).join('; ');
}

/** Proofs that are no checks have names with spaces: of these what passed as one would think goes without saying. */
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
      return `integrated as ${event.head.slice(0, 7)}`;
    case 'integration.conflicted':
      return `does not fit what was integrated meanwhile: ${event.paths.slice(0, pathsShown).join(', ')}`;
    case 'integration.failed':
      return `does not be integrated: ${evidenceWords(event.items.filter(({ passed }) => !passed))}`;
  }
}

const pathsShown = 5;
