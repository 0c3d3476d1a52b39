// When a run has something to deliver, and what a delivery makes of its outcome.

import type { RunEventBody, RunOutcome } from '../events.ts';
import type { Run } from '../run.ts';
import { type DeliveryAsk, type DeliveryOutcome, isAsAsked } from './landing.ts';

/** What goes into the branch that was named when the run was submitted, once all has succeeded; null = nothing. */
export function deliveryWanted(run: Run, decided: readonly RunEventBody[] = []): DeliveryAsk | null {
  const { into, moveCheckout = false } = run.spec ?? {};
  if (into === undefined || !hasLanded(run, decided)) return null;
  return { into, mayMoveCheckout: moveCheckout, openPr: false };
}

/** Whether there is anything on its branch. `decided`: what is not folded in yet. */
export function hasLanded(run: Run, decided: readonly RunEventBody[] = []): boolean {
  if (run.spec?.lands !== true) return false;
  return run.head !== run.spec.repo.base || decided.some(({ type }) => type === 'landing.landed');
}

/** What is still to be delivered of a run whose tasks have all succeeded; null = nothing. */
export function deliveryLeft(run: Run): DeliveryAsk | null {
  const { delivery } = run;
  if (delivery === null) return deliveryWanted(run);
  return delivery.outcome !== null && isAsAsked(delivery, delivery.outcome) ? null : delivery;
}

export function askDelivery(run: Run, { into, mayMoveCheckout, openPr }: DeliveryAsk, by: string): RunEventBody {
  return { type: 'delivery.asked', n: (run.delivery?.n ?? 0) + 1, into, mayMoveCheckout, openPr, by };
}

/** What was not delivered as asked is something that did not succeed. */
export function outcomeDelivered(ofTasks: RunOutcome, asked: DeliveryAsk, outcome: DeliveryOutcome): RunOutcome {
  if (ofTasks !== 'succeeded' || isAsAsked(asked, outcome)) return ofTasks;
  return outcome.kind === 'stopped' ? 'stopped' : 'partial';
}
