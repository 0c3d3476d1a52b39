// The only connection that writes events and snapshots. One batch is one transaction; every request in it is judged by
// itself. It never answers before the commit and never trusts a cached head after a failure.

import type { Snapshot, StreamAppend } from '../../ports/journal.ts';
import { snapshotChecksum } from '../chain.ts';
import { snapshotAhead } from '../journal-limits.ts';
import { type Database, openForWriting } from './database.ts';
import { createHeadCache, type HeadCache } from './head-cache.ts';
import { type Conflict, type SentFault, unflatten, type WriterOps } from './thread-messages.ts';

interface Tables {
  readonly heads: HeadCache;
  readonly events: RowBatch;
  readonly streams: RowBatch;
  /** Streams that stay as open as they were: to set `open` again would rewrite the index of open streams. */
  readonly streamsMoved: RowBatch;
}

export function openWriter(path: string, bytesMax: number | null, sendable: (error: unknown) => SentFault) {
  const db = openForWriting(path, bytesMax);
  const tables = openTables(db);
  const keptSnapshot = db.prepare('SELECT seq, format, checksum, data FROM snapshots WHERE stream = ?');
  const putSnapshot = db.prepare('INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?, ?, ?)');

  /** One request may be the cause (too large for the disk, a damaged stream): the others must not pay for it. */
  const appendEach = (requests: readonly StreamAppend[][]): Map<number, Conflict | SentFault> => {
    const refused = new Map<number, Conflict | SentFault>();
    for (const [index, parts] of requests.entries()) {
      try {
        const conflict = appendAll(db, tables, [parts]).get(0);
        if (conflict !== undefined) refused.set(index, conflict);
      } catch (error) {
        refused.set(index, sendable(error));
      }
    }
    return refused;
  };

  const ops: WriterOps = {
    append(batch) {
      const requests = unflatten(batch);
      try {
        return appendAll(db, tables, requests);
      } catch (error) {
        return requests.length === 1 ? new Map([[0, sendable(error)]]) : appendEach(requests);
      }
    },
    saveSnapshot(snapshot) {
      return transaction(db, tables, () => {
        const head = tables.heads.get(snapshot.stream).seq;
        if (snapshot.seq > head) throw snapshotAhead(snapshot, head);
        if (!isNewer(snapshot, keptSnapshot.get(snapshot.stream), head)) return null;
        const { stream, seq, format, data } = snapshot;
        putSnapshot.run(stream, seq, format, snapshotChecksum(stream, seq, format, data), data);
        return null;
      });
    },
  };
  return { ops: { ...ops }, close: () => db.close() };
}

function openTables(db: Database): Tables {
  const put = `INSERT INTO streams VALUES (*)
    ON CONFLICT DO UPDATE SET pos = excluded.pos, seq = excluded.seq, hash = excluded.hash`;
  return {
    heads: createHeadCache(db),
    events: createRowBatch(db, 'INSERT INTO events VALUES (*)', 9),
    streams: createRowBatch(db, `${put}, open = excluded.open`, 5),
    streamsMoved: createRowBatch(db, put, 5),
  };
}

/** All of `work` or nothing of it. */
function transaction<T>(db: Database, { heads, events, streams, streamsMoved }: Tables, work: () => T): T {
  db.exec('BEGIN IMMEDIATE');
  try {
    heads.refresh();
    const result = work();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    heads.forget();
    for (const rows of [events, streams, streamsMoved]) rows.clear();
    throw error;
  }
}

/** One transaction; the result names the requests whose fence did not hold. */
function appendAll(db: Database, tables: Tables, requests: readonly StreamAppend[][]): Map<number, Conflict> {
  return transaction(db, tables, () => {
    const conflicts = new Map<number, Conflict>();
    for (const [index, parts] of requests.entries()) {
      const conflict = appendOne(tables, parts);
      if (conflict !== null) conflicts.set(index, conflict);
    }
    for (const [stream, { pos, seq, hash, open, openStored }] of tables.heads.takeChanged()) {
      const rows = open === openStored ? tables.streamsMoved : tables.streams;
      rows.add(stream, pos, seq, hash, open ? 1 : 0);
    }
    for (const rows of [tables.events, tables.streams, tables.streamsMoved]) rows.flush();
    return conflicts;
  });
}

/** Stages the rows of one request, or finds the part whose fence does not hold. */
function appendOne({ heads, events }: Tables, parts: readonly StreamAppend[]): Conflict | null {
  for (const { stream, expected } of parts) {
    const head = heads.get(stream).seq;
    if (head !== expected) return { kind: 'conflict', stream, expected, head };
  }
  for (const part of parts) {
    if (part.events.length === 0) continue;
    for (const { pos, prevPos, event } of heads.advance(part)) {
      const { stream, seq, at, type, data, prevHash, hash } = event;
      events.add(pos, stream, seq, prevPos, at, type, data, prevHash, hash);
    }
  }
  return null;
}

/** A kept snapshot that is damaged or ahead of its stream gives way to any. */
function isNewer(snapshot: Snapshot, kept: Record<string, unknown> | undefined, head: number): boolean {
  if (kept === undefined) return true;
  const seq = Number(kept['seq']);
  const checksum = snapshotChecksum(snapshot.stream, seq, Number(kept['format']), String(kept['data']));
  return checksum !== kept['checksum'] || seq > head || seq <= snapshot.seq;
}

interface RowBatch {
  /** Writes the gathered rows when there are enough for a statement. */
  add(...cells: (string | number)[]): void;
  /** Writes what is left. */
  flush(): void;
  /** Drops what is left. */
  clear(): void;
}

const rowsPerStatement = 64;

/** In `sql`, `VALUES (*)` stands for as many rows of `columns` columns as there are. */
function createRowBatch(db: Database, sql: string, columns: number): RowBatch {
  const row = `(${Array(columns).fill('?').join(', ')})`;
  const one = db.prepare(sql.replace('(*)', row));
  const many = db.prepare(sql.replace('(*)', Array(rowsPerStatement).fill(row).join(', ')));
  const full = columns * rowsPerStatement;
  let values: (string | number)[] = [];
  return {
    add(...cells) {
      for (const cell of cells) values.push(cell);
      if (values.length < full) return;
      many.run(...values);
      values = [];
    },
    flush() {
      for (let at = 0; at < values.length; at += columns) one.run(...values.slice(at, at + columns));
      values = [];
    },
    clear() {
      values = [];
    },
  };
}
