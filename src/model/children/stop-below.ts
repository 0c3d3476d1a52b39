// Stops a task and its descendants, in whatever state they are.

import { withdraw } from '../asks/open-ask.ts';
import { liveAttempt, stopForGood } from '../attempt/stopping.ts';
import type { RunEventBody } from '../core/events.ts';
import type { Run, Task } from '../core/run.ts';
import { descendants } from '../core/task-tree.ts';
import { type Consequences, isToStop, noConsequences, stopWaiting } from '../tasks/end-task.ts';

/** The task and its descendants; those already ending add no event. */
export function stopBelow(run: Run, task: Task, by: string): RunEventBody[] {
  const all = noConsequences();
  for (const each of [task, ...descendants(run, task)]) if (each.state !== 'ended') stopOne(run, each, by, all);
  return all.events;
}

export function stopOne(run: Run, task: Task, by: string, all: Consequences): void {
  const attempt = liveAttempt(run, task);
  if (attempt === null) stopWaiting(run, task, all);
  else if (!isToStop(all, attempt)) {
    all.events.push(...withdraw(run, task, 'it is stopped'), ...stopForGood(run, attempt, task, `stopped by ${by}`));
  }
}
