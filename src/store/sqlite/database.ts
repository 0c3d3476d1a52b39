// Opening the database file: settings, format, migrations. It must never change a file that it then refuses, and
// never take over a file that is not a journal.

import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { Fault } from '../../std/fault.ts';
import { formatCurrent, formatFirst, migrations } from './migrations.ts';

export type Database = InstanceType<typeof DatabaseSync>;

export const busyTimeoutMs = 5000;
/** Pages that are written again and again are copied into the file once for each checkpoint: rarer is cheaper. */
const checkpointPages = 4000;
const walBytesMax = 64 * 1024 * 1024;

/** A connection that may write, its schema up to date. */
export function openForWriting(path: string, bytesMax: number | null): Database {
  refuseCutOff(path);
  refuseWhatIsNotOurs(path);
  const db = new DatabaseSync(path, { timeout: busyTimeoutMs });
  try {
    // fullfsync: on macOS a plain fsync leaves the data in the drive's cache; elsewhere the setting means nothing.
    db.exec(`
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = FULL;
      PRAGMA fullfsync = ON;
      PRAGMA checkpoint_fullfsync = ON;
      PRAGMA wal_autocheckpoint = ${checkpointPages};
      PRAGMA journal_size_limit = ${walBytesMax};
    `);
    if (bytesMax !== null) db.exec(`PRAGMA max_page_count = ${Math.max(1, Math.floor(bytesMax / pageBytes(db)))}`);
    migrate(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** A connection that cannot write, to a journal of the current format. */
export function openForReading(path: string): Database {
  refuseCutOff(path);
  const db = new DatabaseSync(path, { readOnly: true, timeout: busyTimeoutMs });
  try {
    const format = formatOf(db, path);
    if (format < formatCurrent) {
      throw new Fault(
        'store_failed',
        `${path} has format ${format}, and this Signalbox reads ${formatCurrent}: start the daemon once to migrate it`,
      );
    }
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Judged through a read-only connection: opening for writing would already fold the WAL into the file. */
function refuseWhatIsNotOurs(path: string): void {
  if (sizeOf(path) === 0) return;
  const db = new DatabaseSync(path, { readOnly: true, timeout: busyTimeoutMs });
  try {
    formatOf(db, path);
  } finally {
    db.close();
  }
}

/** Even a reader of an empty file deletes its WAL, and with it perhaps the only copy of the journal. */
function refuseCutOff(path: string): void {
  const wal = `${path}-wal`;
  if (existsSync(path) && sizeOf(path) === 0 && sizeOf(wal) > 0) {
    throw new Fault('journal_corrupt', `${path} is empty, but ${wal} is not: the journal was cut off`);
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function formatOf(db: Database, path: string): number {
  const tables = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
  if (tables.length === 0) return 0;
  const row = tables.some(({ name }) => name === 'meta')
    ? db.prepare("SELECT value FROM meta WHERE key = 'format'").get()
    : undefined;
  const format: unknown = row?.value;
  if (typeof format !== 'number') throw new Fault('journal_corrupt', `${path} is a database, but not a journal`);
  if (format < formatFirst) {
    throw new Fault(
      'journal_older',
      `${path} was written by a Signalbox before 0.2.0, which this version cannot read: move ${dirname(path)} aside, or set ` +
        'SIGNALBOX_HOME to another directory, and try again',
    );
  }
  if (format > formatCurrent) {
    throw new Fault(
      'journal_newer',
      `${path} has format ${format}, and this Signalbox reads formats up to ${formatCurrent}: update Signalbox`,
    );
  }
  return format;
}

function migrate(db: Database): void {
  for (const [at, step] of migrations.entries()) {
    const format = formatFirst + at;
    db.exec('BEGIN IMMEDIATE');
    try {
      if (formatOf(db, 'the journal') === (at === 0 ? 0 : format - 1)) {
        db.exec(step);
        db.prepare("UPDATE meta SET value = ? WHERE key = 'format'").run(format);
      }
      db.exec('COMMIT');
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK');
      throw error;
    }
  }
}

function pageBytes(db: Database): number {
  return Number(db.prepare('PRAGMA page_size').get().page_size);
}
