// What a run and its tasks know of the tasks that agents asked for. Written by evolve-children.ts alone.

import type { ReachedLimit } from '../core/child-limits.ts';
import type { TaskId } from '../core/ids.ts';
import type { Task } from '../core/task.ts';

export interface RunChildren {
  /** Limits on agents spawned by agents that were reached, and of which a person was told. */
  limitsTold: ReachedLimit[];
  /**
   * Agents that agents asked for, also where one was stopped before it had begun: asking for more is no way past the limit. Agents
   * that people planned are not counted. An index.
   */
  agentsAsked: number;
  /** Ended tasks of which the agent that asked for them is to be told. An index. */
  untold: Map<TaskId, Task>;
}

export interface TaskChildren {
  /** Tasks that its agent has asked for, in order. An index. */
  ids: TaskId[];
  /** How many of them have not ended. An index. */
  open: number;
  /** Whether the agent that asked for this task was told how it ended. */
  told: boolean;
  /** What its agent last told of how far it is; null = nothing. */
  progress: { readonly line: string; readonly fraction: number | null; readonly at: number } | null;
}

export function noRunChildren(): RunChildren {
  return { limitsTold: [], agentsAsked: 0, untold: new Map() };
}

export function noChildren(): TaskChildren {
  return { ids: [], open: 0, told: false, progress: null };
}
