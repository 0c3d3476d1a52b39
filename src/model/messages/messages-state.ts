// Messages and input records of a run, its tasks and agents. Written by this folder alone.

import type { MessageId, RecordId, RunId } from '../core/ids.ts';
import type { RecordState } from '../core/states.ts';
import type { Task } from '../core/task.ts';
import type { Message } from './message.ts';
import type { OtherRun } from './other-run.ts';
import type { RecordBody } from './record-body.ts';

export interface RunMessages {
  /** How many messages there ever were: names the next one. */
  count: number;
  /** Runs that its agents write to or are written to by. */
  otherRuns: Map<RunId, OtherRun>;
  /** Ended tasks with messages of agents that nobody took up. An index. */
  unread: Map<Task['spec']['id'], Task>;
}

export interface TaskMailbox {
  /** Messages for whoever works on it that were not taken up, in order; the first may be on their way. Once it has ended they are dead. */
  inbox: Message[];
  /** Messages that nobody will read, and whose senders were told so. */
  undelivered: readonly MessageId[];
  /** The last ones that were taken up, for agents that want to read one again. */
  read: readonly Message[];
}

export interface AgentMailbox {
  /** Input records not yet delivered, in order. */
  records: InputRecord[];
  /** Characters of messages that its present turn has been given. */
  messageCharsInTurn: number;
  /** Messages that led to what it has read since it did something else. */
  hops: number;
  /** Who wrote the last of those, the newest last. */
  trail: readonly string[];
  /** When it wrote messages, in the last minute. */
  sentAt: readonly number[];
}

export interface InputRecord {
  readonly id: RecordId;
  readonly from: string;
  readonly body: RecordBody;
  /** Its harness cannot write it yet: an id that it has to carry was not handed out by the agent. */
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
