// Tasks of a run that wait for nothing but a slot, their paths, a budget or a time. An index: rebuilt when a snapshot is loaded.
// Written by this folder alone.

import { createHeap, type Heap } from '../../std/heap.ts';
import type { TaskId } from '../core/ids.ts';
import type { Task } from '../core/task.ts';

export interface RunReady {
  /** Every ready task has an entry, in a queue or set aside. */
  entries: Map<TaskId, ReadyEntry>;
  /** Tasks that wait for a slot; tasks in one queue wait for the same. */
  queues: Map<string, Heap<ReadyEntry>>;
  /** Set aside: ready tasks that wait for paths. */
  waiting: Map<TaskId, ReadyEntry>;
  /** The same by the task that they wait for; tasks that are no longer ready stay in it. */
  waitingFor: Map<TaskId, ReadyEntry[]>;
  /** Set aside: ready tasks for which no budget could be reserved. */
  short: Set<ReadyEntry>;
  /** Tasks that wait for the time of their next attempt: the earliest on top. */
  delayed: Heap<DelayedEntry>;
  delays: Map<TaskId, DelayedEntry>;
}

export interface ReadyEntry {
  readonly task: Task;
  readonly priority: number;
  readonly order: number;
  readonly queue: string;
  /** Its index in the queue; -1 = set aside. */
  place: number;
}

export interface DelayedEntry {
  readonly task: Task;
  readonly dueAt: number;
  place: number;
}

export function nothingReady(): RunReady {
  return {
    entries: new Map(),
    queues: new Map(),
    waiting: new Map(),
    waitingFor: new Map(),
    short: new Set(),
    delayed: createHeap<DelayedEntry>((a, b) => a.dueAt - b.dueAt || a.task.order - b.task.order, setPlace),
    delays: new Map(),
  };
}

export function setPlace(entry: { place: number }, place: number): void {
  entry.place = place;
}
