// The connection that only reads, so that a long read never delays a commit. Every event it returns was checked against
// its chain. It never holds a transaction longer than one page: an old one keeps the WAL from shrinking.

import type { HeadFilter, JournalDefect, StoredEvent, StreamHead, StreamName } from '../../ports/journal.ts';
import { Fault } from '../../std/fault.ts';
import { type ChainLink, eventDefect, genesis, headDefect, snapshotChecksum } from '../chain.ts';
import { readBytesMax, readEventsMax } from '../journal-limits.ts';
import { type Database, openForReading } from './database.ts';
import { type EventRow, eventColumns, toEvent } from './event-row.ts';
import { milestoneEvery } from './migrations.ts';
import type { ReaderOps } from './thread-messages.ts';
import { verifyDatabase } from './verification.ts';

type Statement = ReturnType<Database['prepare']>;

interface Statements {
  readonly head: Statement;
  readonly milestone: Statement;
  readonly orphan: Statement;
  readonly walk: Statement;
}

export function openReader(path: string) {
  const db = openForReading(path);
  const statements: Statements = {
    head: db.prepare('SELECT pos, seq, hash, open FROM streams WHERE stream = ?'),
    milestone: db.prepare('SELECT pos FROM events WHERE stream = ? AND seq = ? AND seq % 32 = 1'),
    orphan: db.prepare('SELECT seq FROM events WHERE stream = ? AND seq = 1 AND seq % 32 = 1'),
    walk: db.prepare(walkSql),
  };
  const snapshot = db.prepare('SELECT seq, format, checksum, data FROM snapshots WHERE stream = ?');

  const headOf = (stream: StreamName): StreamHead | null => {
    const row = statements.head.get(stream);
    return row === undefined ? null : { stream, seq: row.seq, hash: row.hash, open: row.open === 1 };
  };
  const ops: ReaderOps = {
    read(stream, after, limit) {
      db.exec('BEGIN');
      try {
        return readPage(statements, stream, after, Math.min(limit, readEventsMax));
      } finally {
        db.exec('COMMIT');
      }
    },
    heads: (filter) => selectHeads(db, filter),
    head: headOf,
    loadSnapshot(stream) {
      const row = snapshot.get(stream);
      if (row === undefined) return null;
      const { seq, format, checksum, data } = row;
      const sound = checksum === snapshotChecksum(stream, seq, format, String(data));
      return sound && seq <= (headOf(stream)?.seq ?? 0) ? { stream, seq, format, data } : null;
    },
    verify: (stream) => verifyDatabase(db, stream),
  };
  return { ops: { ...ops }, close: () => db.close() };
}

// From event ?3 at ?1 of stream ?2 back to event ?4; of those, in order, the ones up to ?5. The way ends where a row
// is missing or is not the one that the next row points back to.
const walkSql = `
  WITH RECURSIVE walk (pos, prev_pos, seq) AS (
    SELECT pos, prev_pos, seq FROM events WHERE pos = ?1 AND stream = ?2 AND seq = ?3
    UNION ALL
    SELECT e.pos, e.prev_pos, e.seq FROM walk JOIN events e ON e.pos = walk.prev_pos
    WHERE walk.seq > ?4 AND e.stream = ?2 AND e.seq = walk.seq - 1
  ),
  page AS MATERIALIZED (SELECT pos, seq FROM walk WHERE seq <= ?5 ORDER BY seq)
  SELECT ${eventColumns} FROM page CROSS JOIN events e ON e.pos = page.pos ORDER BY page.seq`;

interface Place {
  readonly pos: number;
  readonly seq: number;
}

function readPage(statements: Statements, stream: StreamName, after: number, limit: number): StoredEvent[] {
  const head = statements.head.get(stream);
  if (head === undefined) {
    if (statements.orphan.get(stream) === undefined) return [];
    throw corrupt({ kind: 'head_missing', stream, seq: 1, detail: 'the stream has events but no head' });
  }
  if (after >= head.seq) return [];
  const last = Math.min(after + limit, head.seq);
  const from = startOfWalk(statements, stream, last, head);
  // Event `after` comes along: the first event of the page must follow it.
  const first = Math.max(after, 1);
  const page: StoredEvent[] = [];
  let prev: ChainLink | null = null;
  let bytes = 0;
  for (const row of statements.walk.iterate(from.pos, stream, from.seq, first, last) as Iterable<EventRow>) {
    const event = toEvent(row);
    if (prev === null && event.seq !== first) throw missing(stream, event.seq - 1, head);
    if (prev !== null || after === 0) {
      const defect = eventDefect(prev ?? genesis, event);
      if (defect !== null) throw corrupt(defect);
      bytes += Buffer.byteLength(event.data);
      if (page.length > 0 && bytes > readBytesMax) return page;
      page.push(event);
    }
    prev = event;
  }
  // No row at all: the way back broke off beyond this page.
  if (prev === null) throw missing(stream, from.seq, head);
  const defect = last === head.seq ? headDefect(prev, head, stream) : null;
  if (defect !== null) throw corrupt(defect);
  return page;
}

/** The nearest place at or after event `last` from which the way back is known. */
function startOfWalk(statements: Statements, stream: StreamName, last: number, head: Place): Place {
  const seq = Math.ceil((last - 1) / milestoneEvery) * milestoneEvery + 1;
  if (seq >= head.seq) return head;
  const row = statements.milestone.get(stream, seq);
  if (row === undefined) throw missing(stream, seq, head);
  return { pos: row.pos, seq };
}

function missing(stream: StreamName, seq: number, head: Place): Fault {
  const detail = `event ${seq} is missing or not where it was stored; the head is at ${head.seq}`;
  return corrupt({ kind: 'event_missing', stream, seq, detail });
}

function corrupt({ stream, seq, detail }: JournalDefect): Fault {
  return new Fault('journal_corrupt', `stream ${stream}, event ${seq}: ${detail}`);
}

function selectHeads(db: Database, { open, prefix, after, limit }: HeadFilter): StreamHead[] {
  const where = ['stream > ?1', 'stream >= ?2', 'stream < ?3'];
  // Spelt out, not bound: only so does the planner see that the index of open streams serves.
  if (open !== undefined) where.push(open ? 'open = 1' : 'open = 0');
  const sql = `SELECT stream, seq, hash, open FROM streams WHERE ${where.join(' AND ')} ORDER BY stream LIMIT ?4`;
  // Names are printable ASCII, so no name that starts with the prefix sorts behind prefix + DEL.
  const rows = db.prepare(sql).all(after ?? '', prefix ?? '', `${prefix ?? ''}\x7f`, limit ?? -1);
  return rows.map(({ stream, seq, hash, open: flag }) => ({ stream, seq, hash, open: flag === 1 }));
}
