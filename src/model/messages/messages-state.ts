// Messages and input records of a run, its tasks and agents. Written by this folder alone.

import type { MessageId, RecordId, RunId } from '../core/ids.ts';
import type { RecordState } from '../core/states.ts';
import type { Task } from '../core/task.ts';
import type { Message } from './message.ts';
import type { OtherRun } from './other-run.ts';
import type { RecordBody } from './record-body.ts';

export interface RunMessages {
  /** How many messages there ever were; numbers the next one. */
  count: number;
  /** Runs with which its agents exchange messages. */
  otherRuns: Map<RunId, OtherRun>;
  /** Ended tasks with unread messages of agents. An index. */
  unread: Map<Task['spec']['id'], Task>;
}

export interface TaskMailbox {
  /** Unread messages for its agent, in order; the first may be on their way. When the task has ended they are dead. */
  inbox: Message[];
  /** Messages that will not be read, and whose senders were told so. */
  undelivered: readonly MessageId[];
  /** The last messages that were read, for agents that want to read one again. */
  read: readonly Message[];
}

export interface AgentMailbox {
  /** Input records not yet delivered, in order. */
  records: InputRecord[];
  /** Characters of messages that its current turn got. */
  messageCharsInTurn: number;
  /** Length of the chain of messages that it has read since it did other work. */
  hops: number;
  /** The senders of the last of those, the newest last. */
  trail: readonly string[];
  /** When it sent messages, in the last minute. */
  sentAt: readonly number[];
}

export interface InputRecord {
  readonly id: RecordId;
  readonly from: string;
  readonly body: RecordBody;
  /** Its harness cannot encode it yet: the agent has not handed out an id that the record must carry. */
  deferred?: true;
  state: RecordState;
}

export function noRunMessages(): RunMessages {
  return { count: 0, otherRuns: new Map(), unread: new Map() };
}

export function emptyInbox(): TaskMailbox {
  return { inbox: [], undelivered: [], read: [] };
}

export function emptyMailbox(): AgentMailbox {
  return { records: [], messageCharsInTurn: 0, hops: 0, trail: [], sentAt: [] };
}
