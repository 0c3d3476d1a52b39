// What a journal accepts, the same for every store. It never looks inside `data` beyond its size and its characters.

import type { Snapshot, StreamAppend } from '../ports/journal.ts';
import { assert } from '../std/assert.ts';
import { Fault } from '../std/fault.ts';

export const eventBytesMax = 1024 * 1024;
export const appendEventsMax = 25_000;
export const appendBytesMax = 32 * 1024 * 1024;
export const snapshotBytesMax = 64 * 1024 * 1024;
export const readEventsMax = 10_000;
export const readBytesMax = 8 * 1024 * 1024;
export const defectsMax = 1000;

const namePattern = /^[\x21-\x7e]{1,200}$/;
const typePattern = /^[\x21-\x7e]{1,100}$/;
/** Node has it; the types of ES2023 do not. */
const { isWellFormed } = String.prototype as unknown as { isWellFormed: (this: string) => boolean };

/** The append's size in bytes. A Fault `bad_request` says what is too large or malformed. */
export function checkAppend(parts: readonly StreamAppend[]): number {
  assert(parts.length > 0, 'an append has at least one part');
  let bytes = 0;
  let events = 0;
  for (const [index, part] of parts.entries()) {
    checkName(part.stream);
    assert(Number.isSafeInteger(part.expected) && part.expected >= 0, 'expected is a sequence number');
    assert(Number.isSafeInteger(part.at), 'at is a whole number of milliseconds');
    for (let i = 0; i < index; i++) assert(parts[i]?.stream !== part.stream, 'a stream stands in one part only');
    events += part.events.length;
    for (const { type, data } of part.events) {
      if (!typePattern.test(type)) throw new Fault('bad_request', `event type ${JSON.stringify(type)} is not a word`);
      bytes += checkText(`event ${type} of stream ${part.stream}`, data, eventBytesMax);
    }
  }
  assert(events > 0, 'an append has at least one event');
  if (events > appendEventsMax)
    throw new Fault(
      'bad_request',
      `an append of ${events} events is too large: at most ${appendEventsMax} are allowed`,
    );
  if (bytes > appendBytesMax)
    throw new Fault('bad_request', `an append of ${bytes} bytes is too large: at most ${appendBytesMax} are allowed`);
  return bytes;
}

export function checkSnapshot(snapshot: Snapshot): void {
  checkName(snapshot.stream);
  assert(Number.isSafeInteger(snapshot.seq) && snapshot.seq >= 0, 'a snapshot is of a sequence number');
  assert(Number.isSafeInteger(snapshot.format), 'a snapshot has a format number');
  checkText(`snapshot of stream ${snapshot.stream}`, snapshot.data, snapshotBytesMax);
}

export function checkRead(after: number, limit: number): void {
  assert(Number.isSafeInteger(after) && after >= 0, 'after is a sequence number');
  assert(Number.isSafeInteger(limit) && limit > 0, 'limit is a positive number');
}

export function snapshotAhead(snapshot: Snapshot, head: number): Fault {
  return new Fault(
    'bad_request',
    `snapshot of stream ${snapshot.stream} at ${snapshot.seq} is ahead of its head ${head}`,
  );
}

function checkName(stream: string): void {
  if (!namePattern.test(stream)) throw new Fault('bad_request', `${JSON.stringify(stream)} cannot name a stream`);
}

function checkText(what: string, text: string, bytesMax: number): number {
  const bytes = Buffer.byteLength(text);
  if (bytes > bytesMax) throw new Fault('bad_request', `${what} has ${bytes} bytes: at most ${bytesMax} are allowed`);
  // Neither survives a database's UTF-8 text: the event would come back altered. JSON.stringify makes neither.
  if (!isWellFormed.call(text) || text.includes('\0'))
    throw new Fault('bad_request', `${what} contains a NUL or half a surrogate pair`);
  return bytes;
}
