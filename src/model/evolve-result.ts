// Folds what comes of an attempt: its typed output, and the landing of its work on the run's branch.

import { unreachable } from '../std/assert.ts';
import type { RunEvent } from './events.ts';
import { succeeded } from './evolve-attempt.ts';
import { attemptOf, taskOf } from './lookup.ts';
import type { Run } from './run.ts';
import { attemptNext, next } from './states.ts';

type ResultEvent = Extract<RunEvent, { type: `output.${string}` | `landing.${string}` }>;

export function evolveResult(run: Run, event: ResultEvent): void {
  const attempt = attemptOf(run, event.attemptId);
  switch (event.type) {
    case 'output.given':
      attempt.output = { value: event.value, problems: event.problems };
      return;
    case 'output.refused':
      attempt.corrections += 1;
      return;
    case 'landing.queued':
      attempt.state = next(attemptNext, attempt.state, 'proved');
      run.landing.set(attempt.id, attempt);
      return;
    case 'landing.landed':
      run.head = event.head;
      return succeeded(attempt, 'land');
    case 'landing.conflicted':
      taskOf(run, attempt.taskId).conflicts += 1;
      return succeeded(attempt, 'land');
    default:
      unreachable(event);
  }
}
