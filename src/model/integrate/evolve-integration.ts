// Folds the integration of work into the run's branch.

import { unreachable } from '../../std/assert.ts';
import { retriedBy } from '../asks/find-asks.ts';
import type { Attempt } from '../core/attempt.ts';
import type { RunEvent } from '../core/events.ts';
import { attemptOf, taskOf } from '../core/lookup.ts';
import type { Run, Task } from '../core/run.ts';
import { type Conflict, conflictOf, landingConflict } from './conflict.ts';
import { addChecks } from './integration-queue.ts';

type Concerned = Extract<
  RunEvent,
  {
    type:
      | `integration.${'queued' | 'succeeded' | 'dropped' | 'conflicted' | 'failed'}`
      | 'run.created'
      | 'landing.sentBack'
      | 'attempt.ended'
      | 'task.reopened'
      | 'session.steered'
      | 'ask.answered';
  }
>;

export function evolveIntegration(run: Run, event: Concerned): void {
  switch (event.type) {
    case 'run.created':
      run.integration.head = event.run.repo.base;
      return;
    case 'task.reopened':
    case 'session.steered':
      return forgetConflicts(taskOf(run, event.taskId));
    case 'ask.answered': {
      const retried = retriedBy(run, event);
      if (retried !== null) forgetConflicts(taskOf(run, retried));
      return;
    }
    case 'landing.sentBack':
      return noteConflict(taskOf(run, event.taskId), landingConflict(run, event));
    case 'attempt.ended':
      run.integration.queue.delete(event.attemptId);
      return;
    default:
      return evolveAttempt(run, attemptOf(run, event.attemptId), event);
  }
}

function evolveAttempt(run: Run, attempt: Attempt, event: Extract<Concerned, { type: `integration.${string}` }>): void {
  switch (event.type) {
    case 'integration.queued':
      attempt.integration.queuedSeq = run.seq;
      attempt.integration.queuedAt = event.at;
      run.integration.queue.set(attempt.id, attempt);
      return;
    case 'integration.succeeded':
      run.integration.steps.push({ attemptId: attempt.id, from: run.integration.head, to: event.head });
      run.integration.head = event.head;
      run.integration.overlaps = event.overlaps ?? [];
      return addChecks(run.integration.checks, taskOf(run, attempt.taskId).spec.checks);
    case 'integration.dropped':
      taskOf(run, attempt.taskId).integration.conflicts += 1;
      return;
    case 'integration.conflicted':
      return noteConflict(taskOf(run, attempt.taskId), conflictOf(run, attempt, event));
    case 'integration.failed':
      attempt.integration.branchEvidence = event.items;
      if (event.with !== null) noteConflict(taskOf(run, attempt.taskId), conflictOf(run, attempt, event));
      return;
    default:
      unreachable(event);
  }
}

function noteConflict(task: Task, conflict: Conflict): void {
  task.integration.conflicts += 1;
  task.integration.conflict = conflict;
}

/** The task was reopened: earlier conflicts no longer count. */
function forgetConflicts(task: Task): void {
  task.integration.conflicts = 0;
  task.integration.conflict = null;
}
