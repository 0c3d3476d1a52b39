// Folds the result of an attempt: its typed output and its stored artifacts.

import { unreachable } from '../../std/assert.ts';
import type { RunEvent } from '../core/events.ts';
import { attemptOf } from '../core/lookup.ts';
import type { Run } from '../core/run.ts';
import { attemptNext, next } from '../core/states.ts';
import { succeeded } from './evolve-attempt.ts';
import type { ResultEvent as Body } from './result-events.ts';

type ResultEvent = Exclude<Extract<RunEvent, Body>, { type: 'integration.dropped' }>;

export function evolveResult(run: Run, event: ResultEvent): void {
  const attempt = attemptOf(run, event.attemptId);
  switch (event.type) {
    case 'output.given':
      attempt.result.output = { value: event.value, problems: event.problems };
      return;
    case 'output.refused':
      attempt.result.corrections += 1;
      return;
    case 'artifact.stored': {
      const { artifactId, kind, bytes } = event;
      attempt.result.artifacts = [...attempt.result.artifacts, { artifactId, kind, bytes }];
      if (attempt.workspace.state !== 'saved') attempt.result.submitted += 1;
      return;
    }
    case 'integration.queued':
      attempt.state = next(attemptNext, attempt.state, 'proved');
      return;
    case 'integration.succeeded':
    case 'integration.conflicted':
    case 'integration.failed':
      return succeeded(attempt, 'integrate');
    default:
      unreachable(event);
  }
}
