// How the tasks of a run depend on each other, and how often each was tried. Written by evolve-task.ts alone.

import type { Changed } from '../core/events.ts';
import type { Failure } from '../core/failure.ts';
import type { TaskId } from '../core/ids.ts';
import type { Task } from '../core/task.ts';

/** An index: rebuilt when a snapshot is loaded. */
export interface RunGraph {
  /** How many tasks have not ended. */
  openTasks: number;
  taskByName: Map<string, TaskId>;
  /** Tasks whose needs have ended and of which it is to be decided what becomes of them. */
  undecided: Map<TaskId, Task>;
}

export interface TaskGraph {
  unmetNeeds: number;
  /** Tasks that need this one; an index. */
  dependants: TaskId[];
  /** Of a matrix its tasks, in order, and how many have not ended; an index. */
  members: TaskId[];
  membersOpen: number;
}

export interface TaskTries {
  /** All attempts ever made, and how many of them do not count because the task was reopened since. */
  attempts: number;
  attemptsForgiven: number;
  /** When a person had it done again; 0 = never. What was found wrong before is looked at again. */
  forgivenAt: number;
  /** Attempts that ended because evidence was missing, and that their authors remember. */
  sentBack: number;
  lastFailure: Failure | null;
  /** The last attempts that failed: what the next one is told of them. */
  tried: readonly Tried[];
}

export interface Tried {
  readonly n: number;
  readonly failure: Failure;
  /** What the agent said last. */
  readonly said: string;
  readonly changed: Changed;
  /** Where its work is; empty = nowhere. */
  readonly ref: string;
  readonly commit: string;
}

export function emptyGraph(): RunGraph {
  return { openTasks: 0, taskByName: new Map(), undecided: new Map() };
}

export function unconnected(): TaskGraph {
  return { unmetNeeds: 0, dependants: [], members: [], membersOpen: 0 };
}

export function untried(): TaskTries {
  return { attempts: 0, attemptsForgiven: 0, forgivenAt: 0, sentBack: 0, lastFailure: null, tried: [] };
}
