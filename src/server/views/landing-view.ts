// View of a landing.

import { isAsAsked, type Landing, type LandingOutcome } from '../../model/land/landing.ts';
import type { LandingView } from '../../wire/landing-views.ts';
import { viewEvidence } from './evidence-view.ts';

export function viewLanding(landing: Landing | null): LandingView | null {
  if (landing === null) return null;
  const { n, into, openPr, by, askedAt, moves, failing, outcome } = landing;
  return {
    n,
    into,
    openPr,
    by,
    askedAt,
    moves,
    trouble: failing?.message ?? null,
    outcome: outcome === null ? null : viewOutcome(outcome),
    asAsked: outcome !== null && isAsAsked(landing, outcome),
  };
}

function viewOutcome(outcome: LandingOutcome): NonNullable<LandingView['outcome']> {
  switch (outcome.kind) {
    case 'landed': {
      const { items, count = null, notes = [] } = outcome;
      return { ...outcome, items: items.map(viewEvidence), count, notes: [...notes] };
    }
    case 'failed':
      return { ...outcome, items: outcome.items.map(viewEvidence) };
    case 'conflict':
      return { ...outcome, paths: [...outcome.paths] };
    case 'aside':
    case 'refused':
    case 'stopped':
      return outcome;
  }
}
