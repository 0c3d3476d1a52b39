// Tasks of a run that wait for nothing but a slot, their paths, a budget or a time. An index: rebuilt when a snapshot is loaded.
// Written by this folder alone.

import { createHeap, type Heap } from '../../std/heap.ts';
import type { TaskId } from '../core/ids.ts';
import type { Task } from '../core/task.ts';

export interface RunReady {
  /** Tasks that wait for a slot, in queues of those that wait for the same. */
  queues: Map<string, Heap<ReadyEntry>>;
  /** Ready tasks that wait for paths. */
  waiting: Map<TaskId, ReadyEntry>;
  /** The same by the task that they wait for. */
  waitingFor: Map<TaskId, ReadyEntry[]>;
  /** Tasks that wait for the time of their next attempt. */
  delayed: Heap<DelayedEntry>;
  /** Ready tasks for which no budget could be set apart. */
  short: ReadyEntry[];
}

export interface ReadyEntry {
  readonly task: Task;
  readonly priority: number;
  readonly order: number;
}

export interface DelayedEntry {
  readonly task: Task;
  readonly dueAt: number;
}

export function nothingReady(): RunReady {
  return {
    queues: new Map(),
    waiting: new Map(),
    waitingFor: new Map(),
    delayed: createHeap((a, b) => a.dueAt - b.dueAt || a.task.order - b.task.order),
    short: [],
  };
}
