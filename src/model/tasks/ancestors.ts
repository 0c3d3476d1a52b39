// The way from a task up to the tasks it is part of: the matrix that it is one of, the task whose agent asked for it.

import type { Run, Task } from '../run.ts';

/** The task itself comes first. */
export function upwards(run: Run, task: Task): readonly Task[] {
  const way = [task];
  for (let above = aboveOf(run, task); above !== undefined; above = aboveOf(run, above)) way.push(above);
  return way;
}

/** The task that it is part of. */
export function aboveOf(run: Run, { spec: { parent } }: Task): Task | undefined {
  return parent === null ? undefined : run.tasks.get(parent);
}

/** What those above it are called, the nearest first. */
export function namesAbove(run: Run, task: Task): string[] {
  const [, ...above] = upwards(run, task);
  return above.map(({ spec }) => spec.name);
}
