// Finds cycles of waits. An agent that waits for itself, directly or through others, would wait for ever.

import { liveAttempt } from '../attempt/stopping.ts';
import type { TaskId } from '../core/ids.ts';
import { taskOf } from '../core/lookup.ts';
import type { Run, Task } from '../core/run.ts';
import { isMet } from '../inputs/needs.ts';
import { aheadOf, writersOf } from '../ready/interlock.ts';

/**
 * The names along the cycle that would close if the task waited for the other; null = none. `clear` collects tasks from which
 * no path leads back, so that checking several targets visits each task once.
 */
export function circleThrough(
  run: Run,
  waiter: Task,
  awaited: Task,
  clear = new Set<Task>(),
): readonly string[] | null {
  const from = new Map<Task, Task>();
  const open = [awaited];
  const seen = new Set<Task>(open);
  for (let task = open.pop(); task !== undefined; task = open.pop()) {
    if (task === waiter) return namesAlong(from, waiter, awaited);
    if (clear.has(task)) continue;
    for (const next of waitsOn(run, task)) {
      if (seen.has(next)) continue;
      seen.add(next);
      from.set(next, task);
      open.push(next);
    }
  }
  for (const task of seen) clear.add(task);
  return null;
}

function namesAlong(from: ReadonlyMap<Task, Task>, waiter: Task, awaited: Task): string[] {
  const back = [waiter.spec.name];
  for (let at: Task | undefined = from.get(waiter); at !== undefined; at = from.get(at)) back.unshift(at.spec.name);
  if (back[0] !== awaited.spec.name) back.unshift(awaited.spec.name);
  return [waiter.spec.name, ...back];
}

/** Whether it will run an agent, or expand to tasks that will. */
function isToWork({ spec: { kind }, graph: { members } }: Task): boolean {
  return kind === 'work' || (kind === 'matrix' && members.length === 0);
}

/** What has to end before a task can: its needs, its children, what its agent waits for, and the holders of its paths. */
function waitsOn(run: Run, task: Task): Task[] {
  if (task.state === 'ended') return [];
  const ids: TaskId[] = [...task.children.ids, ...task.graph.members];
  const attempt = liveAttempt(run, task);
  if (task.state === 'blocked') ids.push(...task.spec.needs.filter((id) => !isMet(task, taskOf(run, id))));
  ids.push(...(attempt?.waits?.tasks ?? []));
  const tasks = ids.map((id) => taskOf(run, id)).filter(({ state }) => state !== 'ended');
  // Also while it waits for something else first: its paths stay held until their holders end.
  const holders = attempt === null && isToWork(task) ? writersOf(run, task) : [];
  const ahead = task.state === 'ready' ? aheadOf(run, task) : [];
  return [...tasks, ...holders.map((each) => each.task), ...ahead];
}
