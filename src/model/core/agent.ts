// An agent of a run and its input records: it outlives the processes and attempts that it works in. Part of a run's state, changed by the
// fold alone.

import type { RecordBody } from '../messages/record-body.ts';
import type { Memory } from '../session/memory.ts';
import type { AgentSpending } from '../spending/spending-state.ts';
import type { AgentId, MessageId, RecordId, TaskId } from './ids.ts';
import type { RecordState } from './states.ts';

export interface Agent {
  readonly id: AgentId;
  readonly taskId: TaskId;
  readonly name: string;
  session: string | null;
  readonly spending: AgentSpending;
  readonly memory: Memory;
  /** What its agent is told with a prompt of what was before, by the prompt's record. Written again, it is the same. */
  briefings: Readonly<Record<RecordId, string>>;
  /** Messages not yet delivered, in order. */
  records: InputRecord[];
  /** Characters of messages that its present turn has been given. */
  messageCharsInTurn: number;
  /** Messages that led to what it has read since it did something else. */
  hops: number;
  /** Who wrote the last of those, the newest last. */
  trail: readonly string[];
  /** When it wrote messages and asked for agents, in the last minute. */
  sentAt: readonly number[];
  spawnedAt: readonly number[];
  /** The last calls of our tools that did something. */
  calls: readonly AnsweredCall[];
  /** Messages that it took by itself since a turn ended well: it may not have heard the answer. */
  taken: readonly MessageId[];
}

export interface AnsweredCall {
  readonly callId: string;
  readonly tool: string;
  readonly text: string;
  readonly isError: boolean;
  /** A turn has ended well since: it knows the answer. */
  readonly seen: boolean;
}

export interface InputRecord {
  readonly id: RecordId;
  readonly from: string;
  readonly body: RecordBody;
  /** Its harness cannot write it yet: an id that it has to carry was not handed out by the agent. */
  deferred?: true;
  state: RecordState;
}
