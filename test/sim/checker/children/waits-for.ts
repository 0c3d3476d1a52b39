// Which task waits for which, as the checker itself reads it: what has to end before a task can.

import { isOpen, liveAttempt } from '../view/children-view.ts';
import type { WaitsData } from '../view/event-data.ts';
import type { TaskView } from '../view/run-view.ts';
import type { View } from '../view/view.ts';
import { commonWrite, holdersFor } from './written-paths.ts';

/** Whether what an agent waits for has happened. */
export function hasEnded({ tasks }: View, waits: WaitsData): boolean {
  const ended = waits.tasks.filter((id) => {
    const task = tasks.get(id);
    return (
      task?.state === 'ended' && (task.spawning.told || task.spawning.asker === null || !isOpen(task.spawning.asker))
    );
  });
  return waits.mode === 'any' ? ended.length > 0 : ended.length === waits.tasks.length;
}

/** The ids along the way from one task to another that it cannot end without; null = there is no such way. */
export function circleFrom(view: View, from: TaskView, to: TaskView): readonly string[] | null {
  return wayTo(from, to, (task) => endsBefore(view, task));
}

/** Whether one task waits for another in any way, also where it need not. Then it does not hold its paths against that. */
export function mayWaitFor(view: View, from: TaskView, to: TaskView): boolean {
  return wayTo(from, to, (task) => mayEndBefore(view, task)) !== null;
}

function wayTo(from: TaskView, to: TaskView, nextOf: (task: TaskView) => TaskView[]): readonly string[] | null {
  const ways: TaskView[][] = [[from]];
  const seen = new Set([from]);
  for (let way = ways.pop(); way !== undefined; way = ways.pop()) {
    const last = way.at(-1);
    if (last === undefined) continue;
    if (last === to) return way.map(({ id }) => id);
    for (const next of nextOf(last)) {
      if (seen.has(next)) continue;
      seen.add(next);
      ways.push([...way, next]);
    }
  }
  return null;
}

function endsBefore({ tasks }: View, task: TaskView): TaskView[] {
  if (task.state === 'ended') return [];
  const attempt = liveAttempt(task);
  // Of any of several it is enough that one ends: none of them has to.
  const waits = attempt?.spawning.waits ?? null;
  const awaited = waits === null || (waits.mode === 'any' && waits.tasks.length > 1) ? [] : waits.tasks;
  const needs = attempt === null ? (task.spec.needs ?? []) : [];
  const found = [...needs, ...(waits?.until === null ? awaited : [])].flatMap((id) => tasks.get(id) ?? []);
  // These have no agent: they change nothing.
  const idle = task.spec.kind === 'gate' || task.spec.kind === 'milestone';
  const holders = task.state === 'waiting' && !idle ? holdersFor(task.run, task) : [];
  return [...found, ...task.spawning.children, ...task.members, ...holders].filter(isOpen);
}

/** The same with waits that have a limit or are for any of several, with all holders of its paths, and all that want them too. */
function mayEndBefore({ tasks }: View, task: TaskView): TaskView[] {
  if (task.state === 'ended') return [];
  const attempt = liveAttempt(task);
  const ids = attempt === null ? (task.spec.needs ?? []) : (attempt.spawning.waits?.tasks ?? []);
  const found = ids.flatMap((id) => tasks.get(id) ?? []);
  const others =
    attempt === null ? task.run.tasks.filter((other) => other !== task && liveAttempt(other) === null) : [];
  const ahead = others.filter((other) => commonWrite(task.spec, other.spec) !== null);
  const holders = attempt === null ? holdersFor(task.run, task) : [];
  return [...found, ...task.spawning.children, ...task.members, ...holders, ...ahead].filter(isOpen);
}
