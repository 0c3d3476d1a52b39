// What is told of a delivery while it is under way. Pure.

import type { RunEvent } from '../../../wire/event-names.ts';

type DeliveryEvent = Extract<RunEvent, { type: `delivery.${string}` }>;

export function isDelivery(event: RunEvent): event is DeliveryEvent {
  return event.type.startsWith('delivery.');
}

export function deliveryProgress(event: DeliveryEvent): string {
  switch (event.type) {
    case 'delivery.asked':
      return event.into === null
        ? 'goes to a branch of its own'
        : `goes into ${event.into}: merged, tested, then moved`;
    case 'delivery.moved':
      return `others moved the branch to ${event.to.slice(0, 7)}: merged and tested anew`;
    case 'delivery.hindered':
      return `cannot be delivered yet: ${event.message}`;
    case 'delivery.ended':
      return `delivery: ${outcomeWords[event.outcome.kind]}`;
  }
}

const outcomeWords: Readonly<Record<string, string>> = {
  landed: 'landed',
  aside: 'put to a branch of its own',
  conflict: 'does not fit',
  failed: 'a check fails once it is merged',
  refused: 'refused',
  stopped: 'stopped',
};
