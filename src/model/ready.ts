// Tasks that only wait for a slot, by harness: each may have a limit of its own, and one that is full holds up no other.

import { createHeap, type Heap } from './heap.ts';
import type { Host } from './host.ts';
import type { ReadyEntry, Run, Task } from './run.ts';

export function pushReady(run: Run, entry: ReadyEntry): void {
  const { harness } = entry.task.spec;
  let heap = run.ready.get(harness);
  if (heap === undefined) {
    heap = createHeap(inOrder);
    run.ready.set(harness, heap);
  }
  heap.push(entry);
}

/** What was put aside for want of a budget may have one now. */
export function lookAgain(run: Run): void {
  for (const entry of run.short.splice(0)) pushReady(run, entry);
}

export function readyEntry(task: Task): ReadyEntry {
  return { task, priority: task.spec.priority, order: task.order };
}

/** By priority, then in the order of adding. */
export function inOrder(a: ReadyEntry, b: ReadyEntry): number {
  return b.priority - a.priority || a.order - b.order;
}

/** The heaps of those harnesses of which the run may start another agent, and the host too. */
export function* startable(run: Run, fullOnHost: ReadonlySet<string>): Iterable<Heap<ReadyEntry>> {
  for (const [harness, heap] of run.ready) if (!fullOnHost.has(harness) && !isFull(run, harness)) yield heap;
}

/** The harnesses of which the host has as many agents at work as it may. */
export function fullOnHost(host: Host, runs: Iterable<Run>): ReadonlySet<string> {
  const limits = Object.entries(host.harnessSlots);
  if (limits.length === 0) return none;
  const all = [...runs];
  const full = limits.filter(([harness, max]) => all.reduce((live, run) => live + liveOf(run, harness), 0) >= max);
  return new Set(full.map(([harness]) => harness));
}

const none: ReadonlySet<string> = new Set();

/** Whether the run has as many agents of this harness at work as it may. */
export function isFull(run: Run, harness: string): boolean {
  const max = run.spec?.limits.harnessMax?.[harness];
  return max !== undefined && liveOf(run, harness) >= max;
}

export function liveOf(run: Run, harness: string): number {
  let live = 0;
  for (const { taskId } of run.live.values()) if (run.tasks.get(taskId)?.spec.harness === harness) live += 1;
  return live;
}
