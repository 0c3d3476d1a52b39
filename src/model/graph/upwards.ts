// The way from a task up to the tasks it is part of: the matrix that it is one of, the task whose agent asked for it.

import type { Run, Task } from '../run.ts';
import type { TaskSpec } from '../spec.ts';

/** The task itself comes first. */
export function* upwards(run: Run, task: Task): Iterable<Task> {
  let at: Task | undefined = task;
  while (at !== undefined) {
    yield at;
    const { parent }: TaskSpec = at.spec;
    at = parent === null ? undefined : run.tasks.get(parent);
  }
}

/** What those above it are called, the nearest first. */
export function namesAbove(run: Run, task: Task): string[] {
  const [, ...above] = upwards(run, task);
  return above.map(({ spec }) => spec.name);
}
