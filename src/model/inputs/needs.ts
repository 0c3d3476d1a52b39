// What a task needs from others, and which outputs it gets from them.

import type { TaskOutcome } from '../core/events.ts';
import { type ArtifactId, bare } from '../core/ids.ts';
import type { Json } from '../core/json.ts';
import { taskOf } from '../core/lookup.ts';
import type { Run, Task } from '../core/run.ts';

/** Whether the need is met: it has succeeded, or it has ended and that is enough. */
export function isMet(task: Task, need: Task): boolean {
  return need.outcome !== null && suffices(task, need, need.outcome);
}

/** Whether this end of a need is enough for the task. A skipped task is enough where needs only have to end. */
export function suffices({ spec: { tolerates, kind } }: Task, { spec: { id } }: Task, end: TaskOutcome): boolean {
  if (end.kind === 'omitted' && kind === 'milestone') return true;
  return end.kind === 'succeeded' || tolerates.includes(id);
}

/** A gate or milestone whose needs had all ended before it did. */
function hasOpened({ outcome }: Task): boolean {
  return outcome?.kind === 'succeeded' || outcome?.kind === 'failed';
}

/** An output that a synthesis has to account for. */
export interface Given {
  readonly artifact: ArtifactId;
  readonly task: Task;
  readonly value: Json;
}

/** The outputs that a task gets from its needs, through matrices and milestones, each once and in order. */
export function givenTo(run: Run, task: Task): readonly Given[] {
  const seen = new Set<Task>();
  const given: Given[] = [];
  const visit = (need: Task): void => {
    if (seen.has(need)) return;
    seen.add(need);
    if (need.spec.kind !== 'work') {
      // Some of its needs may still be running, and a task's inputs must not change while it works.
      if (need.spec.kind !== 'matrix' && !hasOpened(need)) return;
      for (const id of need.spec.kind === 'matrix' ? need.graph.members : need.spec.needs) visit(taskOf(run, id));
    } else if (need.outcome?.kind === 'succeeded' && need.spec.output !== null && need.attempt !== null) {
      given.push({ artifact: `artifact_${bare(need.attempt.id)}`, task: need, value: need.output });
    }
  };
  for (const id of task.spec.needs) visit(taskOf(run, id));
  return given;
}
