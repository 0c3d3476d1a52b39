// The bytes of an order, for tests that have nothing to wait for.

import type { Harness, Order } from '../../src/ports/harness.ts';
import { blankAgent } from './blank-agent.ts';

export function encoded(harness: Harness, order: Order, state: string = harness.initial(blankAgent)): string {
  const made = harness.encode(state, order, blankAgent);
  if (made === 'notYet') throw new Error(`${harness.name} cannot write ${order.body.kind} yet`);
  return made.record;
}
