// Which tasks land when a person names one: the task, its children and members, and all its needs, because its work builds on
// theirs.

import { type TaskId, taskOfAttempt } from '../core/ids.ts';
import { taskOf } from '../core/lookup.ts';
import type { Run } from '../core/run.ts';
import type { IntegrationStep } from '../integrate/integration-state.ts';

export interface LandingTasks {
  /** In the order in which they were added. */
  readonly tasks: readonly TaskId[];
}

/** The tasks, or a sentence that says why nothing can land. */
export function tasksToLand(run: Run, id: TaskId): LandingTasks | string {
  const named = run.tasks.get(id);
  if (named === undefined) return `no task ${id} in this run`;
  const { name } = named.spec;
  if (named.outcome?.kind !== 'succeeded') return `task "${name}" has not succeeded: nothing of it can land`;
  const all = new Set([id]);
  // Iterating a set also visits what is added meanwhile.
  for (const each of all) {
    const { spec, graph, children } = taskOf(run, each);
    for (const other of [...spec.needs, ...graph.members, ...children.ids]) all.add(other);
  }
  const tasks = [...run.tasks.keys()].filter((task) => all.has(task));
  if (stepsOf(run, tasks).length === 0) return `task "${name}" changed nothing: there is nothing to land`;
  return { tasks };
}

/** What these tasks changed on the run's branch, the oldest first. */
export function stepsOf(run: Run, tasks: readonly TaskId[]): IntegrationStep[] {
  const wanted = new Set(tasks);
  return run.integration.steps.filter(({ attemptId, from, to }) => from !== to && wanted.has(taskOfAttempt(attemptId)));
}
