// Decides when a stream's state is worth writing down, so that a start reads a bounded tail however long the history.

import { snapshotFormat } from '../model/snapshot.ts';
import type { Ports } from './ports.ts';

export interface Snapshots {
  consider(stream: string, seq: number, parts: number, write: () => string): void;
  settled(): Promise<void>;
}

/** Between two snapshots come at least `everyEvents`, and at least as many as the state has parts: cost stays linear. */
export function createSnapshots(ports: Ports, everyEvents: number): Snapshots {
  const lastSeq = new Map<string, number>();
  const saving = new Set<Promise<void>>();
  return {
    consider(stream, seq, parts, write) {
      const last = lastSeq.get(stream);
      // The first sight of a stream after a start: count from here, its snapshot may be just behind.
      if (last === undefined) lastSeq.set(stream, seq);
      if (seq - (last ?? seq) < Math.max(everyEvents, parts)) return;
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
    async settled() {
      await Promise.allSettled(saving);
    },
  };
}
