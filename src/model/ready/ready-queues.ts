// Tasks that only wait for a slot, in queues of those that wait for the same: of one harness, which may have a limit of its
// own, and that do the same when its account is used up. A queue that cannot go on holds up no other.

import { createHeap } from '../../std/heap.ts';
import type { Run, Task } from '../core/run.ts';
import type { Host } from '../host/host.ts';
import type { DelayedEntry, ReadyEntry } from './ready-state.ts';

export function pushReady(run: Run, entry: ReadyEntry): void {
  const { harness, onQuota, fallback } = entry.task.spec;
  const queue = [harness, onQuota, ...fallback].join('\n');
  let heap = run.ready.queues.get(queue);
  if (heap === undefined) {
    heap = createHeap(inOrder);
    run.ready.queues.set(queue, heap);
  }
  heap.push(entry);
}

/** Takes a ready task out of its queue for want of a budget. */
export function putAside(run: Run, entry: ReadyEntry): void {
  run.ready.short.push(entry);
}

/** What was put aside for want of a budget may have one now. */
export function lookAgain(run: Run): void {
  for (const entry of run.ready.short.splice(0)) pushReady(run, entry);
}

export function readyEntry(task: Task): ReadyEntry {
  return { task, priority: task.spec.priority, order: task.order };
}

/** The delayed task that is due next, or null. Entries of tasks that are no longer delayed are dropped. */
export function nextDelayed(run: Run): DelayedEntry | null {
  for (;;) {
    const top = run.ready.delayed.peek();
    if (top === undefined) return null;
    const delay = top.task.delay;
    if (top.task.state === 'delayed' && delay !== null && delay.from + delay.ms === top.dueAt) return top;
    run.ready.delayed.pop();
  }
}

/** By priority, then in the order of adding. */
export function inOrder(a: ReadyEntry, b: ReadyEntry): number {
  return b.priority - a.priority || a.order - b.order;
}

/** The harnesses of which the host has as many agents at work as it may, or `times` as many. */
export function fullOnHost(host: Host, runs: Iterable<Run>, times = 1): ReadonlySet<string> {
  const limits = Object.entries(host.harnessSlots);
  if (limits.length === 0) return none;
  const all = [...runs];
  const full = limits.filter(
    ([harness, max]) => all.reduce((live, run) => live + liveOf(run, harness), 0) >= times * max,
  );
  return new Set(full.map(([harness]) => harness));
}

const none: ReadonlySet<string> = new Set();

/** Whether the run has as many agents of this harness at work as it may, or `times` as many. */
export function isFull(run: Run, harness: string, times = 1): boolean {
  const max = run.spec?.limits.harnessMax?.[harness];
  return max !== undefined && liveOf(run, harness) >= times * max;
}

/** Agents at work; those that are parked are none. */
export function liveOf(run: Run, harness: string): number {
  let live = 0;
  for (const {
    taskId,
    parking: { parked },
  } of run.live.values()) {
    if (parked === null && run.tasks.get(taskId)?.spec.harness === harness) live += 1;
  }
  return live;
}
