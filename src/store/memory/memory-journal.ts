// The journal in memory, for the simulator and for tests: the same promises and the same chain, without a disk. It
// never fails by itself; tests that want faults wrap it.

import type {
  HeadFilter,
  Journal,
  JournalDefect,
  Snapshot,
  StoredEvent,
  StreamAppend,
  StreamHead,
  StreamName,
} from '../../ports/journal.ts';
import { Fault } from '../../std/fault.ts';
import { eventDefect, genesis, headDefect, sealEvents } from '../chain.ts';
import { checkAppend, checkRead, checkSnapshot, defectsMax, readBytesMax, snapshotAhead } from '../journal-limits.ts';

/** What outlives a journal's owner: a simulated crash opens a new journal on the same disk. */
export interface MemoryDisk {
  readonly streams: Map<StreamName, { readonly events: StoredEvent[]; open: boolean }>;
  readonly snapshots: Map<StreamName, Snapshot>;
  /** false: events have no hashes, which saves their time where nobody verifies them. */
  readonly chained?: boolean;
}

export function createMemoryDisk({ chained = true }: { readonly chained?: boolean } = {}): MemoryDisk {
  return { streams: new Map(), snapshots: new Map(), chained };
}

export function openMemoryJournal(disk: MemoryDisk = createMemoryDisk()): Journal {
  let closed = false;
  const checkOpen = (): void => {
    if (closed) throw new Fault('store_closed', 'the journal is closed');
  };

  return {
    async append(parts) {
      checkOpen();
      checkAppend(parts);
      for (const { stream, expected } of parts) {
        const head = disk.streams.get(stream)?.events.length ?? 0;
        if (head !== expected) return { kind: 'conflict', stream, expected, head };
      }
      for (const part of parts) {
        if (part.events.length === 0) continue;
        let kept = disk.streams.get(part.stream);
        if (kept === undefined) disk.streams.set(part.stream, (kept = { events: [], open: true }));
        const last = kept.events.at(-1) ?? genesis;
        for (const event of disk.chained !== false ? sealEvents(last, part) : unchained(last.seq, part))
          kept.events.push(event);
        kept.open = part.open;
      }
      return { kind: 'appended' };
    },
    async read(stream, after, limit) {
      checkOpen();
      checkRead(after, limit);
      return page(disk.streams.get(stream)?.events.slice(after, after + limit) ?? []);
    },
    async heads(filter) {
      checkOpen();
      return matchingHeads(disk, filter);
    },
    async head(stream) {
      checkOpen();
      return headOf(disk, stream);
    },
    async saveSnapshot(snapshot) {
      checkOpen();
      checkSnapshot(snapshot);
      const head = headOf(disk, snapshot.stream)?.seq ?? 0;
      if (snapshot.seq > head) throw snapshotAhead(snapshot, head);
      const kept = disk.snapshots.get(snapshot.stream);
      if (kept === undefined || kept.seq <= snapshot.seq) disk.snapshots.set(snapshot.stream, { ...snapshot });
    },
    async loadSnapshot(stream) {
      checkOpen();
      return disk.snapshots.get(stream) ?? null;
    },
    async verify(stream) {
      checkOpen();
      return defects(disk, stream === undefined ? [...disk.streams.keys()].sort() : [stream]);
    },
    async close() {
      closed = true;
    },
  };
}

function unchained(seq: number, { stream, at, events }: StreamAppend): StoredEvent[] {
  return events.map(({ type, data }, i) => ({ stream, seq: seq + i + 1, at, type, data, prevHash: '', hash: '' }));
}

function headOf(disk: MemoryDisk, stream: StreamName): StreamHead | null {
  const kept = disk.streams.get(stream);
  const last = kept?.events.at(-1);
  return kept && last ? { stream, seq: last.seq, hash: last.hash, open: kept.open } : null;
}

function matchingHeads(disk: MemoryDisk, filter: HeadFilter): StreamHead[] {
  const names: StreamName[] = [];
  for (const [stream, kept] of disk.streams) {
    if (filter.open !== undefined && filter.open !== kept.open) continue;
    if (filter.prefix !== undefined && !stream.startsWith(filter.prefix)) continue;
    if (filter.after === undefined || stream > filter.after) names.push(stream);
  }
  return names
    .sort()
    .slice(0, filter.limit)
    .flatMap((stream) => headOf(disk, stream) ?? []);
}

/** As many as fit into a page, and at least one. */
function page(events: readonly StoredEvent[]): readonly StoredEvent[] {
  let bytes = 0;
  const end = events.findIndex((event, index) => {
    bytes += Buffer.byteLength(event.data);
    return index > 0 && bytes > readBytesMax;
  });
  return end === -1 ? events : events.slice(0, end);
}

function defects(disk: MemoryDisk, streams: readonly StreamName[]): JournalDefect[] {
  const found: JournalDefect[] = [];
  for (const stream of streams) {
    let last: { readonly seq: number; readonly hash: string } = genesis;
    for (const event of disk.streams.get(stream)?.events ?? []) {
      const defect = eventDefect(last, event);
      if (defect !== null) found.push(defect);
      last = event;
    }
    const wrong = headDefect(last, headOf(disk, stream) ?? genesis, stream);
    if (wrong !== null) found.push(wrong);
  }
  return found.slice(0, defectsMax);
}
