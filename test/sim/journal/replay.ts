// Folds the journal of a simulation from its first event, without snapshots, and each stream only once: what was spent is
// read from it, and the engine's copies are compared with it.

import { loadHost, loadRun } from '../../../src/engine/load-stream.ts';
import type { RunId } from '../../../src/model/core/ids.ts';
import type { Run } from '../../../src/model/core/run.ts';
import type { Host } from '../../../src/model/host/host.ts';
import { type MemoryDisk, openMemoryJournal } from '../../../src/store/memory/memory-journal.ts';

export interface Replay {
  readonly runIds: readonly RunId[];
  /** null when there is no such run. Rejects where its journal cannot be replayed. */
  run(runId: RunId): Promise<Run | null>;
  host(name: string): Promise<Host>;
}

export function createReplay(disk: MemoryDisk): Replay {
  const journal = openMemoryJournal({ ...disk, snapshots: new Map() });
  const folded = new Map<RunId, Run>();
  return {
    runIds: [...disk.streams.keys()].filter((name): name is RunId => name.startsWith('run_')),
    async run(runId) {
      const known = folded.get(runId);
      if (known?.seq === disk.streams.get(runId)?.events.length) return known ?? null;
      const run = await loadRun(journal, runId);
      if (run !== null) folded.set(runId, run);
      return run;
    },
    host: (name) => loadHost(journal, name),
  };
}
