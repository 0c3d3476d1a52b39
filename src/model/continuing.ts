// When a further attempt goes on with the session and the work of the one before, and what its agent is told.

import type { Attempt } from './attempt.ts';
import { type Failure, type FailureReason, lacksEvidence } from './failure.ts';
import type { Run, Task } from './run.ts';

/** The attempt that a task's next one goes on with; null = that one begins anew. */
export function continuedBy(run: Run, task: Task): Attempt | null {
  const { attempt, spec } = task;
  if (!spec.keeps || attempt?.verdict?.kind !== 'failed') return null;
  // Where a person had it tried again, what it needs may be another by now.
  if (attempt.n <= task.attemptsForgiven) return null;
  if (!goesBack(task, attempt.verdict.failure)) {
    if (spec.retry.how !== 'continue' || anew.has(attempt.verdict.failure.reason)) return null;
  }
  return canGoOn(run, attempt) ? attempt : null;
}

/** Whether its author can be asked to mend it: it remembers, and its work is there. */
export function canGoOn(run: Run, { agentId, workspace }: Attempt): boolean {
  return (run.agents.get(agentId)?.session ?? null) !== null && workspace.commit !== '';
}

/** Whether the failure of its last attempt was one that its author is told to mend, and may still. */
function goesBack({ spec, sentBack, conflicts }: Task, failure: Failure): boolean {
  const { sendBacksMax = 0 } = spec.retry;
  // Of work that does not fit again somebody else is to make sense.
  if (failure.reason === 'conflict') return sendBacksMax > 0 && conflicts === 1;
  return lacksEvidence(failure) && sentBack <= sendBacksMax;
}

/**
 * What no further word in the same conversation cures. Work that did not fit what landed meanwhile would not fit again: it is
 * done anew from there.
 */
const anew: ReadonlySet<FailureReason> = new Set(['context-overflow', 'refusal', 'conflict', 'contract']);

const detailMax = 2_000;

export function continueNote({ verdict }: Attempt): string {
  const { reason, detail } = verdict?.kind === 'failed' ? verdict.failure : { reason: '', detail: '' };
  return [
    `Your work on this task has not succeeded yet. It ended with ${reason}: ${detail.slice(0, detailMax)}`,
    'You go on with it now, in this conversation. Your files are as they were saved then, in a new directory: the one you ' +
      'are in. The former one is gone, with what git ignores and what ran in it.',
    'Look at what is wrong, mend it, and end your turn as before.',
  ].join('\n\n');
}
