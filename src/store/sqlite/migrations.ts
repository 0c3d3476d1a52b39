// The schema as numbered steps. Append-only: a step that was ever released is never edited, and a step here has
// the same number in every dialect.

/** Step n brings a database from format n to format n + 1; an empty file has format 0. */
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

/** The format that this program reads and writes. */
export const formatCurrent = migrations.length;

/** Must agree with the index events_milestone. */
export const milestoneEvery = 32;
