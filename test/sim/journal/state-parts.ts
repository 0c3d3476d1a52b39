// The fields of a run, its tasks, attempts and agents, each as text. What stands in another field is named there, not repeated.

import type { Attempt } from '../../../src/model/core/attempt.ts';
import type { Run, Task } from '../../../src/model/core/run.ts';

/** By thing and field, as in 'task task_1 mailbox'. */
export function partsOf(run: Run): Map<string, string> {
  const parts = new Map<string, string>();
  const add = (kind: string, id: string, thing: object): void => {
    for (const [field, value] of Object.entries(thing)) parts.set(`${kind} ${id} ${field}`, textOf(value));
  };
  add('run', '', { ...run, tasks: [...run.tasks.keys()], agents: [...run.agents.keys()] });
  const attempts = new Set<Attempt>(run.live.values());
  for (const task of run.tasks.values()) {
    if (task.attempt !== null) attempts.add(task.attempt);
    add('task', task.spec.id, { ...task, spec: task.spec.id });
  }
  for (const attempt of attempts) add('attempt', attempt.id, attempt);
  for (const agent of run.agents.values()) add('agent', agent.id, agent);
  return parts;
}

/** A task or attempt is its id: what it holds is compared elsewhere. */
function textOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  return JSON.stringify(nameOf(value) ?? value, (_key, each: unknown) => {
    if (typeof each !== 'object' || each === null) return each;
    if (each instanceof Map || each instanceof Set) return [...each];
    if ('inOrder' in each) return [...(each.inOrder as () => Iterable<unknown>)()];
    return nameOf(each) ?? each;
  });
}

function nameOf(each: object): string | null {
  if ('spec' in each && 'graph' in each && 'order' in each) return (each as Task).spec.id;
  return 'agentId' in each && 'parking' in each ? (each as Attempt).id : null;
}
