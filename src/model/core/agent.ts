// An agent of a run and its input records: it outlives the processes and attempts that it works in. Part of a run's state, changed by the
// fold alone.

import type { AgentMailbox } from '../messages/messages-state.ts';
import type { Memory } from '../session/memory.ts';
import type { AgentSpending } from '../spending/spending-state.ts';
import type { AgentId, RecordId, TaskId } from './ids.ts';

export interface Agent {
  readonly id: AgentId;
  readonly taskId: TaskId;
  readonly name: string;
  session: string | null;
  readonly spending: AgentSpending;
  readonly memory: Memory;
  /** What its agent is told with a prompt of what was before, by the prompt's record. Written again, it is the same. */
  briefings: Readonly<Record<RecordId, string>>;
  readonly mailbox: AgentMailbox;
  /** When it asked for agents, in the last minute. */
  spawnedAt: readonly number[];
}
