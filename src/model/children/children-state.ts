// What a run and its tasks keep about children. Written by evolve-children.ts alone.

import type { ReachedLimit } from '../core/child-limits.ts';
import type { TaskId } from '../core/ids.ts';
import type { Task } from '../core/task.ts';

export interface RunChildren {
  /** Reached limits on agents spawned by agents that a person was told of. */
  limitsNotified: ReachedLimit[];
  /**
   * How many agents were spawned by agents, including those stopped before they began, so that stopping is no way around the
   * limit. Agents of the plan itself are not counted. An index.
   */
  agentsAsked: number;
  /** Ended children whose parent is still to be notified. An index. */
  unnotified: Map<TaskId, Task>;
}

export interface TaskChildren {
  /** Its children, in the order of spawning. An index. */
  ids: TaskId[];
  /** How many of them have not ended. An index. */
  open: number;
  /** Whether its parent was notified of its end. */
  notified: boolean;
  /** The last progress report of its agent; null = none. */
  progress: { readonly line: string; readonly fraction: number | null; readonly at: number } | null;
}

export function noRunChildren(): RunChildren {
  return { limitsNotified: [], agentsAsked: 0, unnotified: new Map() };
}

export function noChildren(): TaskChildren {
  return { ids: [], open: 0, notified: false, progress: null };
}
