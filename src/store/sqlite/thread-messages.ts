// The messages between the journal and its threads. An append batch crosses as one flat list of strings and numbers:
// cloning objects costs more than storing them.

import type {
  AppendOutcome,
  HeadFilter,
  JournalDefect,
  NewEvent,
  Snapshot,
  StoredEvent,
  StreamAppend,
  StreamHead,
  StreamName,
} from '../../ports/journal.ts';
import { assert } from '../../std/assert.ts';
import type { FaultCode } from '../../std/fault.ts';

export interface WorkerSpec {
  readonly role: 'writer' | 'reader';
  readonly path: string;
  /** Cap on the database file, for the writer. */
  readonly bytesMax: number | null;
}

export type Conflict = Extract<AppendOutcome, { kind: 'conflict' }>;

export interface WriterOps {
  /** The requests that were not appended, by their place in the batch; all others were. */
  append(batch: Flat): Map<number, Conflict | SentFault>;
  saveSnapshot(snapshot: Snapshot): null;
}

export interface ReaderOps {
  read(stream: StreamName, after: number, limit: number): StoredEvent[];
  heads(filter: HeadFilter): StreamHead[];
  head(stream: StreamName): StreamHead | null;
  loadSnapshot(stream: StreamName): Snapshot | null;
  verify(stream: StreamName | null): JournalDefect[];
}

/** The thread that writes answers reads as well, until it is told that another does. */
export interface WriterThreadOps extends WriterOps, ReaderOps {
  stopReading(): null;
}

/** Errors do not keep their class across threads. A `null` code is a failed assertion: a bug. */
export interface SentFault {
  readonly kind: 'fault';
  readonly code: FaultCode | null;
  readonly message: string;
  readonly cause: string | null;
}

export interface Call {
  readonly id: number;
  readonly op: string;
  readonly args: readonly unknown[];
}

export type Answer =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly fault: SentFault };

export type Flat = (string | number)[];

export function flatten(requests: readonly (readonly StreamAppend[])[]): Flat {
  const flat: Flat = [requests.length];
  for (const parts of requests) {
    flat.push(parts.length);
    for (const { stream, expected, at, open, events } of parts) {
      flat.push(stream, expected, at, open ? 1 : 0, events.length);
      for (const { type, data } of events) flat.push(type, data);
    }
  }
  return flat;
}

export function unflatten(flat: Flat): StreamAppend[][] {
  // Plain loops: this runs between two commits.
  let at = 1;
  const requests: StreamAppend[][] = [];
  for (let request = Number(flat[0]); request > 0; request--) {
    const parts: StreamAppend[] = [];
    for (let part = Number(flat[at++]); part > 0; part--) {
      const [stream, expected, time, open, count] = flat.slice(at, at + 5);
      at += 5;
      const events: NewEvent[] = [];
      for (let event = Number(count); event > 0; event--, at += 2) {
        events.push({ type: String(flat[at]), data: String(flat[at + 1]) });
      }
      parts.push({ stream: String(stream), expected: Number(expected), at: Number(time), open: open === 1, events });
    }
    requests.push(parts);
  }
  assert(at === flat.length, 'a batch is as long as it says');
  return requests;
}
