// Folds the events of a run as a whole.

import { assert, must, unreachable } from '../std/assert.ts';
import type { RunEvent } from './core/events.ts';
import type { Run } from './core/run.ts';
import { next, runNext } from './core/states.ts';

type Concerned = Extract<
  RunEvent,
  {
    type:
      | 'run.created'
      | 'run.stopAsked'
      | 'run.ended'
      | 'run.resumed'
      | 'run.removed'
      | 'landing.asked'
      | 'landing.sentBack'
      | 'limits.set';
  }
>;

export function evolveRun(run: Run, event: Concerned): void {
  switch (event.type) {
    case 'run.created':
      assert(run.spec === null, 'a run is created once');
      run.spec = event.run;
      run.createdAt = event.at;
      return;
    case 'run.stopAsked':
      run.state = next(runNext, run.state, 'stopAsked');
      run.stopAskedBy = event.by;
      return;
    case 'run.ended':
      run.state = next(runNext, run.state, 'ended');
      run.outcome = event.outcome;
      run.endedAt = event.at;
      return;
    case 'run.resumed':
      return goOn(run, 'resumed');
    case 'run.removed':
      assert(run.state === 'ended' && run.removedBy === null, 'an ended run is removed once');
      run.removedBy = event.by;
      return;
    case 'landing.asked':
      return goOn(run, 'landingAsked');
    case 'landing.sentBack':
      return goOn(run, 'sentBack');
    case 'limits.set': {
      const spec = must(run.spec, 'a run that goes on was created');
      const children = { ...spec.limits.children, ...event.limits };
      run.spec = { ...spec, limits: { ...spec.limits, children } };
      return;
    }
    default:
      unreachable(event);
  }
}

function goOn(run: Run, move: 'resumed' | 'landingAsked' | 'sentBack'): void {
  run.state = next(runNext, run.state, move);
  run.outcome = null;
  run.endedAt = null;
  run.stopAskedBy = null;
}
