// Tasks that wait only for a slot, in one queue for each harness and each reaction to an exhausted account. A queue that is
// blocked holds up no other.

import { assert } from '../../std/assert.ts';
import { createHeap } from '../../std/heap.ts';
import type { Run, Task } from '../core/run.ts';
import type { Host } from '../host/host.ts';
import { type ReadyEntry, setPlace } from './ready-state.ts';

/** A task has become ready. */
export function enterReady(run: Run, task: Task): void {
  const { id, harness, onQuota, fallback, priority } = task.spec;
  const queue = [harness, onQuota, ...fallback].join('\n');
  const entry = { task, priority, order: task.order, queue, place: -1 };
  assert(!run.ready.entries.has(id), `${id} becomes ready once`);
  run.ready.entries.set(id, entry);
  enqueue(run, entry);
}

export function enqueue(run: Run, entry: ReadyEntry): void {
  let heap = run.ready.queues.get(entry.queue);
  if (heap === undefined) {
    heap = createHeap<ReadyEntry>(inOrder, setPlace);
    run.ready.queues.set(entry.queue, heap);
  }
  heap.push(entry);
}

export function dequeue(run: Run, entry: ReadyEntry): void {
  if (entry.place < 0) return;
  run.ready.queues.get(entry.queue)?.removeAt(entry.place);
  entry.place = -1;
}

/** Tasks that were set aside for lack of budget may have one now. */
export function lookAgain(run: Run): void {
  for (const entry of run.ready.short) enqueue(run, entry);
  run.ready.short.clear();
}

/** The task waits for the time of its next attempt. */
export function enterDelayed(run: Run, task: Task, dueAt: number): void {
  const entry = { task, dueAt, place: -1 };
  run.ready.delays.set(task.spec.id, entry);
  run.ready.delayed.push(entry);
}

export function leaveDelayed(run: Run, { spec: { id } }: Task): void {
  const entry = run.ready.delays.get(id);
  if (entry === undefined) return;
  run.ready.delays.delete(id);
  run.ready.delayed.removeAt(entry.place);
}

export type Rank = Pick<ReadyEntry, 'priority' | 'order'>;

/** By priority, then in the order in which they were added. */
export function inOrder(a: Rank, b: Rank): number {
  return b.priority - a.priority || a.order - b.order;
}

/** The harnesses that use all their slots of the host, or `times` as many. */
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

/** Whether the run uses all its slots for this harness, or `times` as many. */
export function isFull(run: Run, harness: string, times = 1): boolean {
  const max = run.spec?.limits.harnessMax?.[harness];
  return max !== undefined && liveOf(run, harness) >= times * max;
}

/** Agents at work, without the parked ones. */
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
