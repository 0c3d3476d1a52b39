// An agent's input records that it is not known to have taken up. A delivered record leaves the queue.

import { must } from '../../std/assert.ts';
import type { Agent } from '../core/agent.ts';
import type { RecordId } from '../core/ids.ts';
import { next, type RecordMove, recordNext } from '../core/states.ts';
import type { InputRecord } from './messages-state.ts';
import { isControl } from './record-body.ts';

/** Something said to the agent that it has not taken up, as far as anybody knows. */
export function isInput(message: InputRecord): boolean {
  return message.state !== 'acked' && !isControl(message.body);
}

/**
 * The order of the records is that of writing, and of what is not written the first may be there in part, where nothing else can
 * come then: nobody is put before it while there is a process to write to (`isRead`).
 */
export function queueInput(agent: Agent, message: InputRecord, isRead: boolean): void {
  const { records } = agent.mailbox;
  const first = records.findIndex(isUnwritten);
  const { kind } = message.body;
  if (kind === 'prompt' || kind === 'compact') records.splice(isRead && first >= 0 ? first + 1 : 0, 0, message);
  else records.push(message);
  // What is said keeps its order.
  if (isInput(message) && records.some((each) => isInput(each) && each.deferred === true)) message.deferred = true;
  deferredLast(agent);
  if (agent.memory.compaction === 'asked') letControlPass(agent);
}

/** While it compacts nothing is said to it, so none of what waits is written in part; what steers it does not wait behind that. */
export function letControlPass(agent: Agent): void {
  const waits = (message: InputRecord): boolean => isUnwritten(message) && isInput(message);
  const { records } = agent.mailbox;
  agent.mailbox.records = [...records.filter((message) => !waits(message)), ...records.filter(waits)];
}

/** It cannot be written yet. What is said after it waits too, what steers the process does not. */
export function deferRecord(agent: Agent, id: RecordId): void {
  const record = agent.mailbox.records.find((each) => each.id === id);
  if (record === undefined) return;
  for (const each of agent.mailbox.records) {
    if (isUnwritten(each) && (each === record || (isInput(record) && isInput(each)))) each.deferred = true;
  }
  deferredLast(agent);
}

/** The codec's state has changed, or there is another process. */
export function tryDeferred({ mailbox: { records } }: Agent): void {
  for (const record of records) delete record.deferred;
}

/** So that what may be there in part is still the first when these can be written: none of them is. */
function deferredLast(agent: Agent): void {
  const waits = ({ deferred }: InputRecord): boolean => deferred === true;
  if (!agent.mailbox.records.some(waits)) return;
  const { records } = agent.mailbox;
  agent.mailbox.records = [...records.filter((record) => !waits(record)), ...records.filter(waits)];
}

function isUnwritten({ state }: InputRecord): boolean {
  return state === 'queued' || state === 'acked';
}

/** What is to be written next; null = nothing. */
export function nextToWrite({
  mailbox: { records },
  memory,
}: Agent): { readonly message: InputRecord; readonly isLast: boolean } | null {
  const [message, ...behind] = records.filter((each) => isUnwritten(each) && each.deferred !== true);
  // What is said while it compacts would be taken for a part of that order.
  if (message === undefined || (memory.compaction === 'asked' && isInput(message))) return null;
  return { message, isLast: behind.length === 0 };
}

export function moveRecord(agent: Agent, id: RecordId, move: RecordMove): void {
  const message = must(
    agent.mailbox.records.find((each) => each.id === id),
    `no message ${id} in the records of ${agent.id}`,
  );
  message.state = next(recordNext, message.state, move);
  dropDone(agent);
}

export function moveAllRecords(agent: Agent, move: RecordMove): void {
  for (const message of agent.mailbox.records) message.state = next(recordNext, message.state, move);
  dropDone(agent);
}

/** What steers a process ends with it. */
export function dropControl(agent: Agent): void {
  agent.mailbox.records = agent.mailbox.records.filter((message) => !isControl(message.body));
}

/** Nobody acknowledges a control record: written is all that can be known of it. */
function dropDone(agent: Agent): void {
  agent.mailbox.records = agent.mailbox.records.filter(
    ({ state, body }) => state !== 'delivered' && !(state === 'written' && isControl(body)),
  );
}
