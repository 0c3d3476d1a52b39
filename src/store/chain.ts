// The hash chain: every event's hash covers all events before it. Pure: it never reads a store, only judges what was
// read from one.

import { hash } from 'node:crypto';
import type { JournalDefect, StoredEvent, StreamAppend, StreamName } from '../ports/journal.ts';

/** What the first event of every stream follows. */
export const genesisHash = '0'.repeat(64);

/** A place in a chain: the last event seen. */
export interface ChainLink {
  readonly seq: number;
  readonly hash: string;
}

export const genesis: ChainLink = { seq: 0, hash: genesisHash };

/** Lengths stand before what may contain anything, and `data` ends the text: no two events read the same. */
export function eventHash({ prevHash, stream, seq, at, type, data }: Omit<StoredEvent, 'hash'>): string {
  return hash('sha256', `${prevHash}:${stream.length}:${stream}:${seq}:${at}:${type.length}:${type}:${data}`);
}

export function snapshotChecksum(stream: StreamName, seq: number, format: number, data: string): string {
  return hash('sha256', `${stream.length}:${stream}:${seq}:${format}:${data}`);
}

/** The events of one part as they will be stored behind `head`. */
export function sealEvents(head: ChainLink, part: StreamAppend): StoredEvent[] {
  let prev = head;
  return part.events.map(({ type, data }) => {
    const event = { stream: part.stream, seq: prev.seq + 1, at: part.at, type, data, prevHash: prev.hash, hash: '' };
    event.hash = eventHash(event);
    prev = event;
    return event;
  });
}

/** What is wrong with one event that ought to follow `prev`. The first finding hides those that follow from it. */
export function eventDefect(prev: ChainLink, event: StoredEvent): JournalDefect | null {
  const at = { stream: event.stream, seq: event.seq };
  if (event.seq !== prev.seq + 1) {
    const detail = `event ${prev.seq + 1} is missing: event ${event.seq} stands after event ${prev.seq}`;
    return { kind: 'event_missing', stream: event.stream, seq: prev.seq + 1, detail };
  }
  if (eventHash(event) !== event.hash) {
    return { kind: 'event_altered', ...at, detail: `event ${event.seq} does not match its hash` };
  }
  if (event.prevHash !== prev.hash) {
    return { kind: 'link_broken', ...at, detail: `event ${event.seq} does not follow the event stored before it` };
  }
  return null;
}

/** What is wrong between the last event of a stream and its head. */
export function headDefect(last: ChainLink, head: ChainLink, stream: StreamName): JournalDefect | null {
  if (last.seq < head.seq) {
    const detail = `event ${last.seq + 1} is missing: the head is at ${head.seq}`;
    return { kind: 'event_missing', stream, seq: last.seq + 1, detail };
  }
  if (last.seq > head.seq) {
    return { kind: 'head_wrong', stream, seq: last.seq, detail: `event ${last.seq} stands beyond head ${head.seq}` };
  }
  if (last.hash !== head.hash) {
    return { kind: 'head_wrong', stream, seq: last.seq, detail: `the head's hash is not that of event ${last.seq}` };
  }
  return null;
}
