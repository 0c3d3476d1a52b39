// A delivery as clients see it.

import { type Delivery, type DeliveryOutcome, isAsAsked } from '../../model/land/landing.ts';
import type { DeliveryView } from '../../wire/landing-views.ts';
import { viewEvidence } from './evidence-view.ts';

export function viewDelivery(delivery: Delivery | null): DeliveryView | null {
  if (delivery === null) return null;
  const { n, into, openPr, by, askedAt, moves, failing, outcome } = delivery;
  return {
    n,
    into,
    openPr,
    by,
    askedAt,
    moves,
    trouble: failing?.message ?? null,
    outcome: outcome === null ? null : viewOutcome(outcome),
    asAsked: outcome !== null && isAsAsked(delivery, outcome),
  };
}

function viewOutcome(outcome: DeliveryOutcome): NonNullable<DeliveryView['outcome']> {
  switch (outcome.kind) {
    case 'landed':
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
