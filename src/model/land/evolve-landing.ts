// Folds what becomes of the delivery of a run's work.

import { must, unreachable } from '../../std/assert.ts';
import type { RunEvent } from '../events.ts';
import type { Run } from '../run.ts';
import { next, runNext } from '../states.ts';
import type { DeliveryEvent } from './landing.ts';

export function isDeliveryEvent(event: RunEvent): event is RunEvent & DeliveryEvent {
  return event.type.startsWith('delivery.');
}

export function evolveDelivery(run: Run, event: RunEvent & DeliveryEvent): void {
  if (event.type === 'delivery.asked') {
    const { n, into, mayMoveCheckout, openPr, by, at: askedAt } = event;
    run.state = next(runNext, run.state, 'deliveryAsked');
    run.outcome = null;
    run.settledAt = null;
    run.stopAskedBy = null;
    const asked = { n, into, mayMoveCheckout, openPr, by, askedAt, askedSeq: run.seq };
    run.delivery = { ...asked, moves: 0, failing: null, outcome: null };
    return;
  }
  const delivery = must(run.delivery, 'a delivery was asked for');
  switch (event.type) {
    case 'delivery.moved':
      delivery.moves += 1;
      delivery.failing = null;
      return;
    case 'delivery.hindered': {
      const times = (delivery.failing?.times ?? 0) + 1;
      delivery.failing = { times, at: event.at, message: event.message };
      return;
    }
    case 'delivery.ended':
      delivery.outcome = event.outcome;
      delivery.failing = null;
      return;
    default:
      unreachable(event);
  }
}
