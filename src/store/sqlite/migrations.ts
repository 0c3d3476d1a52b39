// The journal's formats as numbered steps. Append-only: a released step is never edited, and a step has the same number in
// every dialect. The number covers tables and events: it grows when either changes.

/** The oldest format that can be read. Formats 1 to 6 were never released. */
export const formatFirst = 7;

/**
 * The first step makes a journal of format 7 from an empty file. Each further step brings it to the next format; it is empty
 * where only events got a new version, because those are converted when they are read.
 */
export const migrations: readonly string[] = [
  `
  CREATE TABLE meta (
    key   TEXT PRIMARY KEY,
    value INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  INSERT INTO meta VALUES ('format', 0);

  -- Rows stand in the order in which they were written, so a commit touches few pages however many streams it
  -- serves. A stream is read backwards along prev_pos (0 = none), from its head or from the next milestone.
  CREATE TABLE events (
    pos       INTEGER PRIMARY KEY,
    stream    TEXT NOT NULL,
    seq       INTEGER NOT NULL,
    prev_pos  INTEGER NOT NULL,
    at        INTEGER NOT NULL,
    type      TEXT NOT NULL,
    data      TEXT NOT NULL,
    prev_hash TEXT NOT NULL,
    hash      TEXT NOT NULL
  ) STRICT;

  -- A milestone is every 32nd event, from the first on. An index of every event would halve the commit rate: each
  -- stream ends in a page of its own.
  CREATE UNIQUE INDEX events_milestone ON events (stream, seq) WHERE seq % 32 = 1;

  CREATE TABLE streams (
    stream TEXT PRIMARY KEY,
    pos    INTEGER NOT NULL,
    seq    INTEGER NOT NULL,
    hash   TEXT NOT NULL,
    open   INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX streams_open ON streams (stream) WHERE open = 1;

  CREATE TABLE snapshots (
    stream   TEXT PRIMARY KEY,
    seq      INTEGER NOT NULL,
    format   INTEGER NOT NULL,
    checksum TEXT NOT NULL,
    data     TEXT NOT NULL
  ) STRICT;
  `,
];

/** The format that this program writes. Kept journals of every format since the first are replayed by a test. */
export const formatCurrent = formatFirst + migrations.length - 1;

/** Must agree with the index events_milestone. */
export const milestoneEvery = 32;
