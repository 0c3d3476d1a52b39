// Folds the landing of a run's work.

import { must, unreachable } from '../../std/assert.ts';
import { defined } from '../../std/defined.ts';
import type { RunEvent } from '../core/events.ts';
import type { Run } from '../core/run.ts';
import type { LandingEvent } from './landing.ts';

type Concerned = Exclude<LandingEvent, { type: 'landing.sentBack' }>;

export function evolveLanding(run: Run, event: RunEvent & Concerned): void {
  if (event.type === 'landing.asked') {
    const { n, into, mayMoveCheckout, openPr, tasks, history, rounds = 0, by, at: askedAt } = event;
    const how = { into, mayMoveCheckout, openPr, ...defined({ tasks, history }) };
    const asked = { n, ...how, by, askedAt, askedSeq: run.seq, rounds };
    run.landing = { ...asked, moves: 0, failing: null, outcome: null };
    return;
  }
  const landing = must(run.landing, 'a landing was asked for');
  switch (event.type) {
    case 'landing.moved':
      landing.moves += 1;
      landing.failing = null;
      return;
    case 'landing.tryFailed': {
      const times = (landing.failing?.times ?? 0) + 1;
      landing.failing = { times, at: event.at, message: event.message };
      return;
    }
    case 'landing.ended':
      landing.outcome = event.outcome;
      landing.failing = null;
      return;
    default:
      unreachable(event);
  }
}
