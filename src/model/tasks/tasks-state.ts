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
  /** Tasks whose needs have ended and that are still to be opened. */
  undecided: Map<TaskId, Task>;
}

export interface TaskGraph {
  unmetNeeds: number;
  /** Tasks that need this one; an index. */
  dependants: TaskId[];
  /** The tasks of a matrix, in order, and how many have not ended; an index. */
  members: TaskId[];
  membersOpen: number;
}

export interface TaskTries {
  /** All attempts ever made, and how many of them do not count because the task was reopened since. */
  attempts: number;
  attemptsForgiven: number;
  /** When a person last retried it; 0 = never. Check failures from before then are run again. */
  forgivenAt: number;
  /** Attempts that were sent back for missing evidence, in the author's session. */
  sentBack: number;
  lastFailure: Failure | null;
  /** The last failed attempts, for the next prompt. */
  tried: readonly Tried[];
}

export interface Tried {
  readonly n: number;
  readonly failure: Failure;
  /** The agent's last text. */
  readonly said: string;
  readonly changed: Changed;
  /** The ref of its work; empty = none. */
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
