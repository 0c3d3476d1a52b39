// Keeps the copies in memory right: loads what is missing, reloads what is in doubt, and makes sure that host and runs
// show the same moment. A stream that cannot be read is quarantined; the others go on.

import type { RunId } from '../model/core/ids.ts';
import { hostStream } from '../model/host/host.ts';
import type { Ports } from '../ports/engine-ports.ts';
import { Fault } from '../std/fault.ts';
import type { Entry } from './command-queue.ts';
import { loadHost, loadRun } from './load-stream.ts';
import type { Snapshots } from './snapshots.ts';
import { agrees, type Ledger } from './state-cache.ts';

export interface Copies {
  readonly ports: Ports;
  readonly ledger: Ledger;
  /** Streams whose copy in memory is in doubt: reloaded before the next decision. */
  readonly doubtful: Set<string>;
  readonly quarantined: Map<string, Fault>;
  readonly snapshots: Snapshots;
}

/** Constant conflicts would mean another daemon on this database: report that instead of waiting. */
const roundsMax = 100;

/** Reloads what is in doubt, and loads the runs that commands are about; returns what it loaded. */
export async function reload(copies: Copies, batch: readonly Entry[]): Promise<ReadonlySet<RunId>> {
  const { ledger, doubtful } = copies;
  for (const { runId, command } of batch) {
    if (command.type !== 'submit' && !ledger.runs.has(runId)) doubtful.add(runId);
  }
  const read = new Set<RunId>();
  if (doubtful.size === 0) return read;
  for (let rounds = 0; rounds < roundsMax; rounds++) {
    for (const stream of doubtful) {
      if (stream === hostStream(ledger.hostName)) await loadHostInto(copies);
      else await loadInto(copies, stream as RunId, read);
      doubtful.delete(stream);
    }
    if (agrees(ledger, copies.quarantined)) return read;
    // Another writer stored something in between: every copy in memory may be out of date.
    doubtful.add(hostStream(ledger.hostName));
    for (const runId of [...ledger.runs.keys(), ...ledger.host.held.values()]) doubtful.add(runId);
  }
  throw new Fault('journal_corrupt', `the slots of host ${ledger.hostName} do not agree with the runs on it`);
}

async function loadHostInto({ ports, ledger, snapshots }: Copies): Promise<void> {
  ledger.host = await loadHost(ports.journal, ledger.hostName, snapshots.loaded);
}

async function loadInto(copies: Copies, runId: RunId, read: Set<RunId>): Promise<void> {
  const { ports, ledger, quarantined, snapshots } = copies;
  read.add(runId);
  try {
    const run = await loadRun(ports.journal, runId, snapshots.loaded);
    if (run === null) ledger.runs.delete(runId);
    else ledger.runs.set(runId, run);
  } catch (error) {
    if (!(error instanceof Fault) || (error.code !== 'journal_corrupt' && error.code !== 'journal_newer')) throw error;
    ledger.runs.delete(runId);
    quarantined.set(runId, error);
    ports.log.warn('run is left alone: its record cannot be read', { runId, code: error.code, error: error.message });
  }
}
