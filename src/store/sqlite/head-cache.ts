// The heads of the streams that the writer has touched, inside and between its transactions. It has to be told to
// forget them whenever a transaction failed.

import type { StoredEvent, StreamAppend, StreamName } from '../../ports/journal.ts';
import { type ChainLink, genesis, sealEvents } from '../chain.ts';
import type { Database } from './database.ts';

export interface CachedHead extends ChainLink {
  /** Where the last event stands; 0 = no event. */
  readonly pos: number;
  readonly open: boolean;
  /** As the table has it; null = the stream is new. */
  readonly openStored: boolean | null;
}

export interface PlacedEvent {
  readonly pos: number;
  readonly prevPos: number;
  readonly event: StoredEvent;
}

export interface HeadCache {
  /** At the start of each transaction: forgets if anyone else wrote to the file. */
  refresh(): void;
  forget(): void;
  get(stream: StreamName): CachedHead;
  /** Moves the head over the part's events and gives each its place. */
  advance(part: StreamAppend): PlacedEvent[];
  /** The heads moved since the last call. */
  takeChanged(): Map<StreamName, CachedHead>;
}

const headsMax = 10_000;

export function createHeadCache(db: Database): HeadCache {
  const dataVersion = db.prepare('PRAGMA data_version');
  const lastPos = db.prepare('SELECT max(pos) AS pos FROM events');
  const stored = db.prepare('SELECT pos, seq, hash, open FROM streams WHERE stream = ?');
  const heads = new Map<StreamName, CachedHead>();
  let changed = new Map<StreamName, CachedHead>();
  let versionSeen: unknown = null;
  let posLast = 0;

  function forget(): void {
    heads.clear();
    changed.clear();
    versionSeen = null;
  }

  function get(stream: StreamName): CachedHead {
    const known = heads.get(stream);
    if (known !== undefined) return known;
    const row = stored.get(stream);
    const head: CachedHead =
      row === undefined
        ? { ...genesis, pos: 0, open: false, openStored: null }
        : { pos: row.pos, seq: row.seq, hash: row.hash, open: row.open === 1, openStored: row.open === 1 };
    heads.set(stream, head);
    return head;
  }

  return {
    refresh() {
      // The owner's lock makes us the only writer; should someone remove it, the fence still holds.
      const version: unknown = dataVersion.get().data_version;
      if (version === versionSeen && heads.size <= headsMax) return;
      forget();
      versionSeen = version;
      posLast = lastPos.get().pos ?? 0;
    },
    forget,
    get,
    advance(part) {
      let head = get(part.stream);
      const placed = sealEvents(head, part).map((event): PlacedEvent => {
        const prevPos = head.pos;
        head = { pos: ++posLast, seq: event.seq, hash: event.hash, open: part.open, openStored: head.openStored };
        return { pos: head.pos, prevPos, event };
      });
      heads.set(part.stream, head);
      changed.set(part.stream, head);
      return placed;
    },
    takeChanged() {
      const taken = changed;
      changed = new Map();
      for (const [stream, head] of taken) {
        if (head.open !== head.openStored) heads.set(stream, { ...head, openStored: head.open });
      }
      return taken;
    },
  };
}
