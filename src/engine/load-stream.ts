// Loads a run or host from the journal: the newest usable snapshot, then the events after it.

import type { RunEvent } from '../model/core/events.ts';
import type { RunId } from '../model/core/ids.ts';
import type { Run } from '../model/core/run.ts';
import { evolve } from '../model/evolve.ts';
import { readEvent } from '../model/format.ts';
import { emptyHost, evolveHost, type Host, hostStream } from '../model/host/host.ts';
import type { HostEvent } from '../model/host/host-events.ts';
import { emptyRun } from '../model/new-state.ts';
import { readHost, readRun, snapshotFormat } from '../model/snapshot.ts';
import type { Journal } from '../ports/journal.ts';
import { AssertionFailed } from '../std/assert.ts';
import { Fault, isFault } from '../std/fault.ts';

const pageEvents = 1_000;

/** Called with the snapshot that a state was loaded from; 0 = none. */
type OnSnapshot = (stream: string, seq: number) => void;

/** null when there is no such run. */
export async function loadRun(journal: Journal, runId: RunId, onSnapshot?: OnSnapshot): Promise<Run | null> {
  const run = await loadFold<Run, RunEvent>(journal, runId, readRun, emptyRun, evolve, onSnapshot);
  return run.seq === 0 ? null : run;
}

export function loadHost(journal: Journal, name: string, onSnapshot?: OnSnapshot): Promise<Host> {
  return loadFold<Host, HostEvent>(journal, hostStream(name), readHost, emptyHost, evolveHost, onSnapshot);
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
  onSnapshot?: OnSnapshot,
): Promise<State> {
  const snapshot = await journal.loadSnapshot(stream);
  const state = snapshot?.format === snapshotFormat ? read(snapshot.data) : empty();
  onSnapshot?.(stream, state.seq);
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
        throw new Fault('journal_corrupt', `event ${stored.seq} of ${stream} is invalid: ${cause.message}`, {
          cause,
        });
      }
    }
  }
}
