// Looks at an engine whenever the journal has not accepted its decisions: everything that it shows must be in the journal. It
// looks outside of the simulated time, so a seed is the same with and without it.

import type { Engine } from '../../../src/engine/engine.ts';
import { loadRun } from '../../../src/engine/load-stream.ts';
import type { RunId } from '../../../src/model/core/ids.ts';
import { writeRun } from '../../../src/model/snapshot.ts';
import type { Journal } from '../../../src/ports/journal.ts';
import { type MemoryDisk, openMemoryJournal } from '../../../src/store/memory/memory-journal.ts';
import type { Violation } from '../checker/checker.ts';

export interface Observer {
  /** The same journal; each append that fails, or comes too late, has the engine looked at. */
  watch(journal: Journal, engine: () => Engine | null): Journal;
  violations(): Promise<Violation[]>;
}

export function createObserver(disk: MemoryDisk): Observer {
  const found: Promise<Violation[]>[] = [];
  /** `fold`: the journal may have as many events, of another engine. Expensive, so only if that is possible. */
  const look = (engine: Engine | null, fold: boolean): void => {
    const shown = engine?.look(({ host, hostName, runs }) => {
      found.push(Promise.resolve(notStored(disk, `host/${hostName}`, host.seq)));
      for (const [runId, run] of runs) {
        found.push(Promise.resolve(notStored(disk, runId, run.seq)));
        if (fold) found.push(otherThan(disk, runId, run.seq, writeRun(run)));
      }
    });
    // If the journal cannot be read, nothing is shown.
    shown?.catch(() => undefined);
  };
  return {
    watch: (journal, engine) => ({
      ...journal,
      async append(parts) {
        try {
          const outcome = await journal.append(parts);
          if (outcome.kind === 'conflict') look(engine(), true);
          return outcome;
        } catch (error) {
          look(engine(), false);
          throw error;
        }
      },
    }),
    violations: async () => (await Promise.all(found)).flat(),
  };
}

function notStored(disk: MemoryDisk, stream: string, seq: number): Violation[] {
  const stored = disk.streams.get(stream)?.events.length ?? 0;
  if (seq <= stored) return [];
  return [{ invariant: 2, what: `${stream} is shown with ${seq} events, and ${stored} are stored` }];
}

/** `held` is a copy after this many events; the journal is read as it is now, before anything else happens. */
function otherThan(disk: MemoryDisk, runId: RunId, seq: number, held: string): Promise<Violation[]> {
  const events = disk.streams.get(runId)?.events.slice(0, seq) ?? [];
  const streams = new Map([[runId, { events, open: true }]]);
  const journal = openMemoryJournal({ streams, snapshots: new Map() });
  const blame = (what: string): Violation[] => [{ invariant: 2, what }];
  return loadRun(journal, runId).then(
    (run) => {
      if (run !== null && writeRun(run) === held) return [];
      return blame(`${runId} is shown otherwise than its ${seq} stored events say`);
    },
    (error: unknown) => blame(`${runId} cannot be replayed: ${String(error)}`),
  );
}
