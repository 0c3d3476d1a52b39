// A person's order to end the turn of an agent and to keep the agent: it parks, and goes on with the next message of a person.

import { withdrawFor } from '../asks/open-ask.ts';
import { isEnding, liveAttempt } from '../attempt/stopping.ts';
import { type Command, type Decision, decided, refused } from '../core/command.ts';
import type { Run } from '../core/run.ts';
import { askPause, isBetweenTurns } from '../parking/parking.ts';

export function decideInterrupt(run: Run, { taskId, by }: Extract<Command, { type: 'interruptTask' }>): Decision {
  const task = run.tasks.get(taskId);
  if (task === undefined) return refused('unknown', `no task ${taskId} in this run`);
  const { name } = task.spec;
  const attempt = liveAttempt(run, task);
  if (attempt === null) return refused('notAllowed', `task "${name}" has no agent at work`);
  if (isEnding(attempt)) return refused('notAllowed', `the agent of task "${name}" is already ending its turn`);
  if (attempt.state !== 'running' || isBetweenTurns(attempt)) {
    return refused('notAllowed', `the agent of task "${name}" is not in a turn`);
  }
  const why = { kind: 'interrupt', by, detail: `interrupted by ${by}` } as const;
  return decided([...withdrawFor(run, attempt, 'it is interrupted'), ...askPause(attempt, why)]);
}
