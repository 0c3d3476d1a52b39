// Decides when to save a snapshot of a stream, so that a start reads a bounded number of events however long the
// history is.

import { snapshotFormat } from '../model/snapshot.ts';
import type { Ports } from '../ports/engine-ports.ts';

export interface Snapshots {
  /** The stream was loaded from a snapshot at `seq` (0 = none). */
  loaded(stream: string, seq: number): void;
  consider(stream: string, seq: number, parts: number, write: () => string): void;
  forget(stream: string): void;
  drained(): Promise<void>;
}

/** Between two snapshots come at least `everyEvents`, and at least as many as the state has parts: cost stays linear. */
export function createSnapshots(ports: Ports, everyEvents: number): Snapshots {
  const lastSeq = new Map<string, number>();
  const saving = new Set<Promise<void>>();
  return {
    loaded(stream, seq) {
      lastSeq.set(stream, seq);
    },
    consider(stream, seq, parts, write) {
      if (seq - (lastSeq.get(stream) ?? 0) < Math.max(everyEvents, parts)) return;
      lastSeq.set(stream, seq);
      const work = ports.journal
        .saveSnapshot({ stream, seq, format: snapshotFormat, data: write() })
        .catch((error: unknown) => {
          // A snapshot is a cache: without it the next start takes longer, nothing else.
          ports.log.warn('snapshot not saved', { stream, seq, error: String(error) });
        })
        .finally(() => saving.delete(work));
      saving.add(work);
    },
    forget(stream) {
      lastSeq.delete(stream);
    },
    async drained() {
      await Promise.allSettled(saving);
    },
  };
}
