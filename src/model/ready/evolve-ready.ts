// Folds events after which tasks that wait for paths, a budget or a time may start.

import { unreachable } from '../../std/assert.ts';
import type { RunEvent } from '../core/events.ts';
import { attemptOf, taskOf } from '../core/lookup.ts';
import type { Run } from '../core/run.ts';
import { letPass } from './interlock.ts';
import { enterDelayed, lookAgain } from './ready-queues.ts';

type Concerned = Extract<
  RunEvent,
  {
    type:
      | 'task.delayed'
      | 'task.ended'
      | 'attempt.parked'
      | 'attempt.ended'
      | 'paths.claimed'
      | 'budget.set'
      | 'budget.day'
      | 'run.unpaused';
  }
>;

export function evolveReady(run: Run, event: Concerned): void {
  switch (event.type) {
    case 'task.delayed':
      return enterDelayed(run, taskOf(run, event.taskId), event.at + event.delayMs);
    case 'task.ended':
      return letPass(run, taskOf(run, event.taskId));
    case 'attempt.parked':
      // An agent that asks a person keeps its reservation.
      if (event.why.kind !== 'asks') lookAgain(run);
      return;
    case 'attempt.ended':
      lookAgain(run);
      return letPass(run, taskOf(run, attemptOf(run, event.attemptId).taskId));
    case 'paths.claimed': {
      const attempt = attemptOf(run, event.attemptId);
      const gaveBack = attempt.claims.some((path) => !event.paths.includes(path));
      attempt.claims = event.paths;
      if (gaveBack) letPass(run, taskOf(run, attempt.taskId));
      return;
    }
    case 'budget.set':
    case 'budget.day':
    case 'run.unpaused':
      return lookAgain(run);
    default:
      unreachable(event);
  }
}
