// Rewrites a stream of a journal as an expert forger would: every event as a test wants it, with matching hashes.

import { DatabaseSync } from '@photostructure/sqlite';
import { eventHash, genesisHash } from '../../../src/store/chain.ts';

export interface WrittenEvent {
  readonly seq: number;
  readonly at: number;
  readonly type: string;
  readonly data: string;
}

/** `change` is given all events in their order, and gives as many. */
export function rewriteJournal(
  path: string,
  stream: string,
  change: (events: readonly WrittenEvent[]) => readonly WrittenEvent[],
): void {
  const db = new DatabaseSync(path);
  try {
    const rows = db.prepare('SELECT * FROM events WHERE stream = ? ORDER BY seq').all(stream);
    const events = rows.map((row) => ({
      seq: Number(row['seq']),
      at: Number(row['at']),
      type: String(row['type']),
      data: String(row['data']),
    }));
    const update = db.prepare('UPDATE events SET at = ?, type = ?, data = ?, prev_hash = ?, hash = ? WHERE pos = ?');
    let prevHash = genesisHash;
    for (const [i, { seq, at, type, data }] of change(events).entries()) {
      const hash = eventHash({ stream, seq, at, type, data, prevHash });
      update.run(at, type, data, prevHash, hash, Number(rows[i]?.['pos']));
      prevHash = hash;
    }
    db.prepare('UPDATE streams SET hash = ? WHERE stream = ?').run(prevHash, stream);
  } finally {
    db.close();
  }
}
