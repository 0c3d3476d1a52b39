// Tasks that only wait for a slot, by harness: each may have a limit of its own, and one that is full holds up no other.

import { createHeap, type Heap } from './heap.ts';
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

export function readyEntry(task: Task): ReadyEntry {
  return { task, priority: task.spec.priority, order: task.order };
}

/** By priority, then in the order of adding. */
export function inOrder(a: ReadyEntry, b: ReadyEntry): number {
  return b.priority - a.priority || a.order - b.order;
}

/** The heaps of those harnesses of which the run may start another agent. */
export function* startable(run: Run): Iterable<Heap<ReadyEntry>> {
  for (const [harness, heap] of run.ready) if (!isFull(run, harness)) yield heap;
}

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
