// An agent of a run and its input records: it outlives its processes and attempts. Part of a run's state, written by the fold
// alone.

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
  /** What a prompt says about earlier work, by the prompt's record: if the record is written again, the text is the same. */
  briefings: Readonly<Record<RecordId, string>>;
  readonly mailbox: AgentMailbox;
  /** When it spawned children within the last minute. */
  spawnedAt: readonly number[];
}
