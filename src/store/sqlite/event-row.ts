// A row of the events table as an event. Damage can give a column any type: values are forced into shape, and then the
// hash does not match.

import type { StoredEvent } from '../../ports/journal.ts';

export const eventColumns = 'e.pos, e.stream, e.seq, e.prev_pos, e.at, e.type, e.data, e.prev_hash, e.hash';

export type EventRow = Record<
  'pos' | 'stream' | 'seq' | 'prev_pos' | 'at' | 'type' | 'data' | 'prev_hash' | 'hash',
  unknown
>;

export function toEvent(row: EventRow): StoredEvent {
  return {
    stream: String(row.stream),
    seq: Number(row.seq),
    at: Number(row.at),
    type: String(row.type),
    data: String(row.data),
    prevHash: String(row.prev_hash),
    hash: String(row.hash),
  };
}
