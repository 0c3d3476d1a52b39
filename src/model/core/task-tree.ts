// The tree of tasks: a task's parent is the matrix that it is a member of, or the task whose agent spawned it.

import { orMeant } from '../../std/nearest.ts';
import type { TaskId } from './ids.ts';
import { askerOf, taskOf } from './lookup.ts';
import type { Run, Task } from './run.ts';

/** The task itself comes first. */
export function upwards(run: Run, task: Task): readonly Task[] {
  const way = [task];
  for (let above = aboveOf(run, task); above !== undefined; above = aboveOf(run, above)) way.push(above);
  return way;
}

/** Its parent: a matrix, or the task whose agent spawned it. */
export function aboveOf(run: Run, { spec: { parent } }: Task): Task | undefined {
  return parent === null ? undefined : run.tasks.get(parent);
}

/** The names of its ancestors, the nearest first. */
export function namesAbove(run: Run, task: Task): string[] {
  const [, ...above] = upwards(run, task);
  return above.map(({ spec }) => spec.name);
}

/** Whether the task is a descendant of the other. */
export function isBelow(run: Run, task: Task, above: Task): boolean {
  if (task === above) return false;
  for (const each of upwards(run, task)) if (each === above) return true;
  return false;
}

export function isRelated(run: Run, a: Task, b: Task): boolean {
  return a === b || isBelow(run, a, b) || isBelow(run, b, a);
}

/** All descendants of a task, parents before their children. */
export function descendants(run: Run, task: Task): Task[] {
  const all = task.children.ids.map((id) => taskOf(run, id));
  // The list grows while it is walked.
  for (const each of all) all.push(...each.children.ids.map((id) => taskOf(run, id)));
  return all;
}

/** Its level in the tree of agents: a task of the plan is on level 1. */
export function depthOf(run: Run, task: Task): number {
  let depth = 1;
  for (let at = askerOf(run, task); at !== null; at = askerOf(run, at)) depth += 1;
  return depth;
}

/**
 * The task that an agent refers to by a name or an id; a text says why there is none and what may be meant, including `also`.
 */
export function findTask(run: Run, word: string, also: readonly string[] = []): Task | string {
  const id = run.graph.taskByName.get(word) ?? (word as TaskId);
  const found = run.tasks.get(id);
  if (found !== undefined) return found;
  const shown = word.length > shownMax ? `${word.slice(0, shownMax)}…` : word;
  return `there is no task ${JSON.stringify(shown)} in this run${orMeant(word, [...also, ...run.graph.taskByName.keys()])}`;
}

const shownMax = 80;

/** Whether an agent may look into a task: its own, its descendants, and those whose results it was given. */
export function isKnownTo(run: Run, caller: Task, task: Task): boolean {
  return task === caller || isBelow(run, task, caller) || caller.spec.needs.includes(task.spec.id);
}
