// Verifies the whole journal in the order in which it was written: recomputes every hash and compares every stream with
// its head. It changes nothing and never holds a transaction longer than a page.

import type { JournalDefect, StreamName } from '../../ports/journal.ts';
import { type ChainLink, eventDefect, genesis, headDefect } from '../chain.ts';
import { defectsMax } from '../journal-limits.ts';
import type { Database } from './database.ts';
import { type EventRow, eventColumns, toEvent } from './event-row.ts';

interface Seen extends ChainLink {
  readonly pos: number;
}

const start: Seen = { ...genesis, pos: 0 };

/** How much is read in one transaction. */
const pageRows = 2000;

export function verifyDatabase(db: Database, only: StreamName | null): JournalDefect[] {
  const found: JournalDefect[] = [];
  const seen = new Map<StreamName, Seen>();
  const which = only === null ? '?2 IS NULL' : 'e.stream = ?2';
  const page = db.prepare(`SELECT ${eventColumns} FROM events e WHERE e.pos > ?1 AND ${which} ORDER BY e.pos LIMIT ?3`);
  try {
    if (only === null) found.push(...fileDefects(db));
    for (let pos = 0, done = false; !done && found.length < defectsMax; ) {
      // The last page and the heads must be of one moment, and which page is the last shows only afterwards.
      db.exec('BEGIN');
      try {
        const before = pos;
        // Row by row: a page of the largest events would not fit into memory.
        for (const row of page.iterate(pos, only, pageRows) as Iterable<EventRow>) {
          checkRow(row, seen, found);
          pos = Number(row.pos);
        }
        done = pos <= before;
        if (done) checkHeads(db, only, seen, found);
      } finally {
        db.exec('COMMIT');
      }
    }
  } catch (error) {
    // A file damaged below the level of rows: what was found so far still stands.
    const detail = error instanceof Error ? error.message : 'unreadable';
    found.push({ kind: 'file_damaged', stream: '', seq: 0, detail });
  }
  return found.slice(0, defectsMax);
}

function checkRow(row: EventRow, seen: Map<StreamName, Seen>, found: JournalDefect[]): void {
  const event = toEvent(row);
  const prev = seen.get(event.stream) ?? start;
  const defect = eventDefect(prev, event);
  if (defect !== null) found.push(defect);
  else if (row.prev_pos !== prev.pos) {
    const detail = `event ${event.seq} points to ${String(row.prev_pos)} instead of ${prev.pos} as the event before it`;
    found.push({ kind: 'link_broken', stream: event.stream, seq: event.seq, detail });
  }
  seen.set(event.stream, { seq: event.seq, hash: event.hash, pos: Number(row.pos) });
}

function checkHeads(db: Database, only: StreamName | null, seen: Map<StreamName, Seen>, found: JournalDefect[]): void {
  const which = only === null ? '?1 IS NULL' : 'stream = ?1';
  const heads = db.prepare(`SELECT stream, pos, seq, hash FROM streams WHERE ${which} ORDER BY stream`);
  const headless = new Map(seen);
  for (const { stream, pos, seq, hash } of heads.iterate(only)) {
    headless.delete(stream);
    const last = seen.get(stream) ?? start;
    const defect = headDefect(last, { seq, hash }, stream);
    if (defect !== null) found.push(defect);
    else if (pos !== last.pos) {
      const detail = `the head points to ${pos} instead of ${last.pos} as event ${seq}`;
      found.push({ kind: 'head_wrong', stream, seq, detail });
    }
  }
  for (const stream of headless.keys()) {
    found.push({ kind: 'head_missing', stream, seq: 1, detail: 'the stream has events but no head' });
  }
}

function fileDefects(db: Database): JournalDefect[] {
  const rows = db.prepare('PRAGMA integrity_check(100)').all();
  return rows
    .map((row) => String(row.integrity_check))
    .filter((detail) => detail !== 'ok')
    .map((detail) => ({ kind: 'file_damaged', stream: '', seq: 0, detail }));
}
