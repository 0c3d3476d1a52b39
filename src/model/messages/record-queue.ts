// An agent's input records that are not known to be delivered. A delivered record leaves the queue.

import { must } from '../../std/assert.ts';
import type { Agent } from '../core/agent.ts';
import type { RecordId } from '../core/ids.ts';
import { next, type RecordMove, recordNext } from '../core/states.ts';
import type { InputRecord } from './messages-state.ts';
import { isControl } from './record-body.ts';

/** Input to the agent that is not known to be delivered. */
export function isInput(message: InputRecord): boolean {
  return message.state !== 'acked' && !isControl(message.body);
}

/**
 * Records are written in this order. The first unwritten one may be partly written, so nothing may be inserted before it while
 * there is a process to write to (`isRead`).
 */
export function queueInput(agent: Agent, message: InputRecord, isRead: boolean): void {
  const { records } = agent.mailbox;
  const first = records.findIndex(isUnwritten);
  const { kind } = message.body;
  if (kind === 'prompt' || kind === 'compact') records.splice(isRead && first >= 0 ? first + 1 : 0, 0, message);
  else records.push(message);
  // Input keeps its order.
  if (isInput(message) && records.some((each) => isInput(each) && each.deferred === true)) message.deferred = true;
  deferredLast(agent);
  if (agent.memory.compaction === 'asked') letControlPass(agent);
}

/** While an agent compacts it gets no input, so no waiting record is partly written; control records may pass them. */
export function letControlPass(agent: Agent): void {
  const waits = (message: InputRecord): boolean => isUnwritten(message) && isInput(message);
  const { records } = agent.mailbox;
  agent.mailbox.records = [...records.filter((message) => !waits(message)), ...records.filter(waits)];
}

/** It cannot be written yet. Later input waits too; control records do not. */
export function deferRecord(agent: Agent, id: RecordId): void {
  const record = agent.mailbox.records.find((each) => each.id === id);
  if (record === undefined) return;
  for (const each of agent.mailbox.records) {
    if (isUnwritten(each) && (each === record || (isInput(record) && isInput(each)))) each.deferred = true;
  }
  deferredLast(agent);
}

/** To be called when the codec's state has changed or a new process starts. */
export function tryDeferred({ mailbox: { records } }: Agent): void {
  for (const record of records) delete record.deferred;
}

/** Deferred records are not partly written, so they go behind the one that may be. */
function deferredLast(agent: Agent): void {
  const waits = ({ deferred }: InputRecord): boolean => deferred === true;
  if (!agent.mailbox.records.some(waits)) return;
  const { records } = agent.mailbox;
  agent.mailbox.records = [...records.filter((record) => !waits(record)), ...records.filter(waits)];
}

function isUnwritten({ state }: InputRecord): boolean {
  return state === 'queued' || state === 'acked';
}

/** The record to write next; null = none. */
export function nextToWrite({
  mailbox: { records },
  memory,
}: Agent): { readonly message: InputRecord; readonly isLast: boolean } | null {
  const [message, ...behind] = records.filter((each) => isUnwritten(each) && each.deferred !== true);
  // Input during a compaction would be taken for part of that order.
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

/** Control records end with their process. */
export function dropControl(agent: Agent): void {
  agent.mailbox.records = agent.mailbox.records.filter((message) => !isControl(message.body));
}

/** A control record is not acknowledged, so a written one counts as delivered. */
function dropDone(agent: Agent): void {
  agent.mailbox.records = agent.mailbox.records.filter(
    ({ state, body }) => state !== 'delivered' && !(state === 'written' && isControl(body)),
  );
}
