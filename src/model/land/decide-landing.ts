// Decisions on the delivery of a run's work into the branch that a person named.

import { type Command, type Decision, decided, refused, stale } from '../command.ts';
import type { RunEventBody } from '../events.ts';
import { runOutcome } from '../tasks/combined-outcome.ts';
import type { Run } from '../run.ts';
import { deliveryMovesMax, deliveryTriesMax } from '../timing.ts';
import { askDelivery, hasLanded, outcomeDelivered } from './landing-due.ts';
import { type Delivery, type DeliveryOutcome, isSameAsk } from './landing.ts';

type Of<Type extends Command['type']> = Extract<Command, { type: Type }>;

export function decideDeliver(run: Run, command: Of<'deliver'>): Decision {
  const { delivery } = run;
  if (run.state === 'delivering' && delivery !== null) {
    if (isSameAsk(delivery, command)) return decided([]);
    const where = delivery.into === null ? 'to a branch of its own' : `into ${delivery.into}`;
    return refused('notAllowed', `the run is being delivered ${where}: wait for its end, or stop it`);
  }
  if (run.state !== 'settled') return refused('notAllowed', 'the run has not ended: wait for it, or stop it');
  if (run.spec?.lands !== true) {
    return refused(
      'notAllowed',
      'the work of its tasks stays apart, there is no whole to deliver: take each by itself',
    );
  }
  if (!hasLanded(run)) return refused('notAllowed', 'no work has landed on the branch of the run');
  return decided([askDelivery(run, command, command.by)]);
}

export function decideDelivered(run: Run, { n, result }: Of<'delivered'>): Decision {
  const delivery = underWay(run, n);
  if (delivery === null) return stale(`delivery ${n}`);
  if (result.kind === 'ended') return decided(ended(run, delivery, outcomeOf(run, delivery, result.outcome)));
  const { from, to } = result;
  const moved: RunEventBody = { type: 'delivery.moved', n, from, to };
  if (delivery.moves + 1 < deliveryMovesMax) return decided([moved]);
  const why = `${delivery.into} was moved by others ${deliveryMovesMax} times while the work was merged and tested`;
  return decided([moved, ...ended(run, delivery, { kind: 'refused', why })]);
}

export function decideDeliveryFailed(run: Run, { n, code, message }: Of<'deliveryFailed'>): Decision {
  const delivery = underWay(run, n);
  if (delivery === null) return stale(`delivery ${n}`);
  const hindered: RunEventBody = { type: 'delivery.hindered', n, code, message };
  const times = (delivery.failing?.times ?? 0) + 1;
  if (times < 2 * deliveryTriesMax) return decided([hindered]);
  const why = `${message}; whether it was delivered before that could not be found out`;
  return decided([hindered, ...ended(run, delivery, { kind: 'refused', why })]);
}

/** What nobody stopped was given up, because it could not be tried. */
function outcomeOf({ state }: Run, { failing }: Delivery, outcome: DeliveryOutcome): DeliveryOutcome {
  if (outcome.kind !== 'stopped' || state === 'stopping' || failing === null) return outcome;
  return { kind: 'refused', why: failing.message };
}

function ended(run: Run, delivery: Delivery, outcome: DeliveryOutcome): RunEventBody[] {
  const ofTasks = runOutcome(run, (task) => task.outcome, null);
  return [
    { type: 'delivery.ended', n: delivery.n, outcome },
    { type: 'run.settled', outcome: outcomeDelivered(ofTasks, delivery, outcome) },
  ];
}

function underWay({ delivery }: Run, n: number): Delivery | null {
  return delivery !== null && delivery.n === n && delivery.outcome === null ? delivery : null;
}
