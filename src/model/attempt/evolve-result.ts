// Folds what comes of an attempt: its typed output, the artifacts that were stored of it, and the integration of its work on the
// run's branch.

import { unreachable } from '../../std/assert.ts';
import type { Attempt } from '../core/attempt.ts';
import type { RunEvent } from '../core/events.ts';
import { agentOf, attemptOf, taskOf } from '../core/lookup.ts';
import type { Run } from '../core/run.ts';
import { attemptNext, next } from '../core/states.ts';
import { type Conflict, conflictOf } from '../integrate/conflict.ts';
import { addChecks } from '../integrate/integration-queue.ts';
import { rememberArtifact } from '../session/memory.ts';
import { succeeded } from './evolve-attempt.ts';
import type { ResultEvent as Body } from './result-events.ts';

type ResultEvent = Extract<RunEvent, Body>;

export function isResultEvent(event: RunEvent): event is ResultEvent {
  return (
    event.type.startsWith('output.') || event.type.startsWith('artifact.') || event.type.startsWith('integration.')
  );
}

export function evolveResult(run: Run, event: ResultEvent): void {
  const attempt = attemptOf(run, event.attemptId);
  switch (event.type) {
    case 'output.given':
      attempt.output = { value: event.value, problems: event.problems };
      return;
    case 'output.refused':
      attempt.corrections += 1;
      return;
    case 'artifact.stored': {
      const { artifactId, kind, bytes } = event;
      attempt.artifacts = [...attempt.artifacts, { artifactId, kind, bytes }];
      if (attempt.workspace.state !== 'saved') attempt.submitted += 1;
      rememberArtifact(agentOf(run, attempt.agentId).memory, event);
      return;
    }
    case 'integration.queued':
      attempt.state = next(attemptNext, attempt.state, 'proved');
      attempt.queuedSeq = run.seq;
      attempt.queuedAt = event.at;
      run.integration.set(attempt.id, attempt);
      return;
    case 'integration.succeeded':
      run.head = event.head;
      addChecks(run.integratedChecks, taskOf(run, attempt.taskId).spec.checks);
      return succeeded(attempt, 'integrate');
    case 'integration.dropped':
      taskOf(run, attempt.taskId).conflicts += 1;
      return;
    case 'integration.conflicted':
      noteConflict(run, attempt, conflictOf(run, attempt, event));
      return succeeded(attempt, 'integrate');
    case 'integration.failed':
      attempt.branchEvidence = event.items;
      if (event.with !== null) noteConflict(run, attempt, conflictOf(run, attempt, event));
      return succeeded(attempt, 'integrate');
    default:
      unreachable(event);
  }
}

function noteConflict(run: Run, { taskId }: Attempt, conflict: Conflict): void {
  const task = taskOf(run, taskId);
  task.conflicts += 1;
  task.conflict = conflict;
}
