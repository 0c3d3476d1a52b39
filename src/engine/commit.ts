// Stores what a tick decided. Decisions are applied to the copies in memory before they are stored, so nobody may read
// the copies until the append has succeeded or the copies were reloaded from the journal.

import type { Run } from '../model/core/run.ts';
import { Fault } from '../std/fault.ts';
import type { Entry } from './command-queue.ts';
import type { Engine } from './engine.ts';
import { loadRun } from './load-stream.ts';
import { type Draft, draftParts } from './state-cache.ts';
import { reload } from './state-reload.ts';
import type { EngineState } from './tick.ts';

/** true when it is stored; false when another writer came first and all must be decided again. */
export async function commit(state: EngineState, draft: Draft): Promise<boolean> {
  for (const stream of draft.parts.keys()) state.doubtful.add(stream);
  const stored = append(state, draft);
  state.committing = stored.then(noop, noop);
  try {
    return await stored;
  } finally {
    state.committing = null;
  }
}

async function append(state: EngineState, draft: Draft): Promise<boolean> {
  try {
    const outcome = await state.ports.journal.append(draftParts(draft, state.ledger));
    if (outcome.kind === 'appended') {
      for (const stream of draft.parts.keys()) state.doubtful.delete(stream);
      return true;
    }
  } catch (error) {
    // Where the record cannot be read either, it is the append's fault that is told.
    await takeBack(state).catch(onlyFaults);
    throw error;
  }
  await takeBack(state);
  return false;
}

/** What was decided is not stored: it is forgotten before anybody may look. */
async function takeBack(state: EngineState): Promise<void> {
  try {
    await readAgain(state, []);
  } catch (error) {
    if (error instanceof Fault) state.unreadable = error;
    throw error;
  }
}

/** Reads the copies in doubt, and the runs that these commands are about, from the record. */
export async function readAgain(state: EngineState, batch: readonly Entry[]): Promise<void> {
  for (const runId of await reload(state, batch)) state.attention.add(runId);
  state.unreadable = null;
}

/** Shows only what is stored: waits for the append under way, and fails while the record cannot be read. */
export function lookInto(state: EngineState): Engine['look'] {
  return async (read) => {
    while (state.committing !== null) await state.committing;
    if (state.unreadable !== null) throw state.unreadable;
    return read(state.ledger);
  };
}

/** A run that is not in memory is read from the record. */
export function lookIntoRun(state: EngineState): Engine['lookRun'] {
  const look = lookInto(state);
  return async (runId, read) => {
    // Read at once: the next tick changes this copy before it stores anything.
    const shown = await look((ledger) => {
      const run = ledger.runs.get(runId);
      return run === undefined ? null : { value: read(run, ledger) };
    });
    if (shown !== null) return shown.value;
    const past: Run | null = await loadRun(state.ports.journal, runId);
    return look((ledger) => read(past, ledger));
  };
}

function onlyFaults(error: unknown): void {
  if (!(error instanceof Fault)) throw error;
}

function noop(): void {}
