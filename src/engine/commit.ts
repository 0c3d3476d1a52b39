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
    // Where the journal cannot be read either, the append's Fault is reported.
    await takeBack(state).catch(onlyFaults);
    throw error;
  }
  await takeBack(state);
  return false;
}

/** The decisions were not stored: drop them before anybody reads the copies. */
async function takeBack(state: EngineState): Promise<void> {
  try {
    await readAgain(state, []);
  } catch (error) {
    if (error instanceof Fault) state.unreadable = error;
    throw error;
  }
}

/** Reloads the copies in doubt, and loads the runs that these commands are about. */
export async function readAgain(state: EngineState, batch: readonly Entry[]): Promise<void> {
  for (const runId of await reload(state, batch)) state.attention.add(runId);
  state.unreadable = null;
}

/** Shows only stored state: waits for the append in progress, and fails while the journal cannot be read. */
export function lookInto(state: EngineState): Engine['look'] {
  return async (read) => {
    while (state.committing !== null) await state.committing;
    if (state.unreadable !== null) throw state.unreadable;
    return read(state.ledger);
  };
}

/** A run that is not in memory is loaded from the journal. */
export function lookIntoRun(state: EngineState): Engine['lookRun'] {
  const look = lookInto(state);
  return async (runId, read) => {
    // Call `read` at once: the next tick changes this copy before it stores anything.
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
