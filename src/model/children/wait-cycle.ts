// Who waits for whom. An agent that would wait for itself, through whomever, would wait for ever.

import { liveAttempt } from '../attempt/stopping.ts';
import type { TaskId } from '../core/ids.ts';
import { taskOf } from '../core/lookup.ts';
import type { Run, Task } from '../core/run.ts';
import { isMet } from '../inputs/needs.ts';
import { aheadOf, writersOf } from '../ready/interlock.ts';

/**
 * The names along the way from the task back to itself, if it waited for the other; null = it does not come back. `clear` are
 * those from whom no way leads there, as far as that was found out: who asks for several goes no way twice.
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

/** Whether it has work to begin, or becomes tasks that have. */
function isToWork({ spec: { kind }, graph: { members } }: Task): boolean {
  return kind === 'work' || (kind === 'matrix' && members.length === 0);
}

/** What has to end before a task can: what it needs, what it asked for, what its agent waits for, who holds its paths. */
function waitsOn(run: Run, task: Task): Task[] {
  if (task.state === 'ended') return [];
  const ids: TaskId[] = [...task.children.ids, ...task.graph.members];
  const attempt = liveAttempt(run, task);
  if (task.state === 'blocked') ids.push(...task.spec.needs.filter((id) => !isMet(task, taskOf(run, id))));
  ids.push(...(attempt?.waits?.tasks ?? []));
  const tasks = ids.map((id) => taskOf(run, id)).filter(({ state }) => state !== 'ended');
  // Also where it waits for something else first: what it would find held is held until its holders end.
  const holders = attempt === null && isToWork(task) ? writersOf(run, task) : [];
  const ahead = task.state === 'ready' ? aheadOf(run, task) : [];
  return [...tasks, ...holders.map((each) => each.task), ...ahead];
}
