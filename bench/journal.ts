// Measures the SQLite journal against bare statements on the same disk in the same run, in turns, so that noise
// meets both alike. It must never be tuned to look good: the bars are a promise.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DatabaseSync } from '@photostructure/sqlite';
import type { Journal } from '../src/ports/journal.ts';
import { openSqliteJournal } from '../src/store/sqlite/sqlite-journal.ts';
import { type BenchFigure, figure, median } from './figure.ts';

const rounds = 9;
/** Not counted: a daemon runs long enough for its code to be compiled. */
const roundsWarmUp = 1;
const streams = 256;
/** Long enough for every round to hold a checkpoint or two. */
const perStream = 100;
const data = JSON.stringify({ task: 'task_0123456789', attempt: 'attempt_0123', text: 'x'.repeat(150) });
const at = 1_700_000_000_000;
const hash = 'f'.repeat(64);

export async function benchJournal(): Promise<BenchFigure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-bench-'));
  const journal = await openSqliteJournal({ path: join(folder, 'journal.db') });
  const bare = openBare(join(folder, 'bare.db'));
  const rates: { bare: number; port: number }[] = [];
  const lone: number[] = [];
  try {
    for (let round = 0; round < roundsWarmUp + rounds; round++) {
      const bareRate = rate(await timed(() => bare.round(round)));
      const portRate = rate(await timed(() => portRound(journal, round)));
      if (round >= roundsWarmUp) rates.push({ bare: bareRate, port: portRate });
      for (let i = 0; i < 20; i++) lone.push(await timed(() => loneAppend(journal, lone.length)));
    }
  } finally {
    bare.close();
    await journal.close();
    rmSync(folder, { recursive: true, force: true });
  }
  const share = 100 * median(rates.map((r) => r.port / r.bare));
  const loneMs = median(lone);
  return [
    figure('journal.grouped', median(rates.map((r) => r.port)), 'transitions/s', 'none', true),
    figure('journal.bare', median(rates.map((r) => r.bare)), 'inserts/s', 'none', true),
    figure('journal.share_of_bare', share, '%', '>= 50', share >= 50),
    figure('journal.lone_append', loneMs, 'ms', '< 2', loneMs < 2),
  ];
}

/** 256 writers, each to its own stream, each waiting for its append before the next. */
async function portRound(journal: Journal, round: number): Promise<void> {
  const writer = async (stream: string): Promise<void> => {
    for (let i = 0; i < perStream; i++) {
      const expected = round * perStream + i;
      const part = { stream, expected, at, events: [{ type: 'task.started', data }], open: true };
      const outcome = await journal.append([part]);
      if (outcome.kind !== 'appended') throw new Error(`conflict on ${stream} at ${outcome.head}`);
    }
  };
  await Promise.all(Array.from({ length: streams }, (_, index) => writer(`run_${index}`)));
}

async function loneAppend(journal: Journal, expected: number): Promise<void> {
  await journal.append([{ stream: 'lone', expected, at, events: [{ type: 'task.started', data }], open: true }]);
}

/** What SQLite itself reaches: no keys, no fence, no hashes, no threads; the same groups and the same durability. */
function openBare(path: string) {
  const db = new DatabaseSync(path);
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA fullfsync = ON');
  db.exec(
    'PRAGMA checkpoint_fullfsync = ON; PRAGMA wal_autocheckpoint = 4000; CREATE TABLE bare (stream, seq, at, type, data, prev, hash)',
  );
  const insert = db.prepare('INSERT INTO bare VALUES (?, ?, ?, ?, ?, ?, ?)');
  return {
    async round(round: number): Promise<void> {
      for (let i = 0; i < perStream; i++) {
        db.exec('BEGIN IMMEDIATE');
        for (let n = 0; n < streams; n++)
          insert.run(`run_${n}`, round * perStream + i, at, 'task.started', data, hash, hash);
        db.exec('COMMIT');
      }
    },
    close: () => db.close(),
  };
}

async function timed(work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

const rate = (ms: number): number => (streams * perStream * 1000) / ms;

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const figures = await benchJournal();
  console.log(JSON.stringify(figures));
  console.log(
    figures.map(({ name, value, unit, ok }) => `${name} ${value} ${unit}${ok ? '' : ' (MISSED)'}`).join(', '),
  );
}
