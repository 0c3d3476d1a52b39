// From the journal back into memory: the newest usable snapshot, then the events after it.

import type { HostEvent, RunEvent } from '../model/events.ts';
import { evolve } from '../model/evolve.ts';
import { readEvent } from '../model/format.ts';
import { emptyHost, evolveHost, type Host, hostStream } from '../model/host.ts';
import type { RunId } from '../model/ids.ts';
import { emptyRun, type Run } from '../model/run.ts';
import { readHost, readRun, snapshotFormat } from '../model/snapshot.ts';
import { AssertionFailed } from '../std/assert.ts';
import { Fault, isFault } from '../std/fault.ts';
import type { Journal } from '../store/journal.ts';

const pageEvents = 1_000;

/** null when there is no such run. */
export async function loadRun(journal: Journal, runId: RunId): Promise<Run | null> {
  const run = await loadFold(journal, runId, readRun, emptyRun, (state, event: RunEvent) => evolve(state, event));
  return run.seq === 0 ? null : run;
}

export function loadHost(journal: Journal, name: string): Promise<Host> {
  return loadFold(journal, hostStream(name), readHost, emptyHost, (state, event: HostEvent) =>
    evolveHost(state, event),
  );
}

/** Names of the runs that still have work in them. */
export async function openRuns(journal: Journal): Promise<RunId[]> {
  const heads = await journal.heads({ open: true, prefix: 'run_' });
  return heads.map((head) => head.stream as RunId);
}

async function loadFold<State extends { seq: number }, Event extends RunEvent | HostEvent>(
  journal: Journal,
  stream: string,
  read: (text: string) => State,
  empty: () => State,
  fold: (state: State, event: Event) => void,
): Promise<State> {
  const snapshot = await journal.loadSnapshot(stream);
  const state = snapshot?.format === snapshotFormat ? read(snapshot.data) : empty();
  for (;;) {
    const page = await journal.read(stream, state.seq, pageEvents);
    if (page.length === 0) return state;
    for (const stored of page) {
      try {
        fold(state, readEvent<Event>(stored, stored.at));
      } catch (cause) {
        if (isFault(cause))
          throw new Fault(cause.code, `event ${stored.seq} of ${stream}: ${cause.message}`, { cause });
        if (!(cause instanceof AssertionFailed || cause instanceof SyntaxError)) throw cause;
        throw new Fault('journal_corrupt', `event ${stored.seq} of ${stream} makes no sense: ${cause.message}`, {
          cause,
        });
      }
    }
  }
}
