// Compresses the transcripts of ended launches, one at a time, and never one that may still be written or read. Work that a
// crash interrupted is repeated.

import { setTimeout as delay } from 'node:timers/promises';
import type { Engine } from '../engine/engine.ts';
import type { LaunchId } from '../model/core/ids.ts';
import type { Log } from '../ports/engine-ports.ts';
import type { Launches } from '../process/launch/launches.ts';

export interface KeeperOptions {
  readonly engine: Engine;
  readonly launches: Pick<Launches, 'list' | 'look' | 'compress'>;
  readonly log: Log;
  readonly everyMs: number;
  readonly signal: AbortSignal;
}

/** Resolves when it is stopped. */
export async function keepTranscripts(options: KeeperOptions): Promise<void> {
  const { log, everyMs, signal } = options;
  const done = new Set<string>();
  while (!signal.aborted) {
    await round(options, done).catch((error: unknown) => {
      log.warn('transcripts could not be compressed', { error: String(error) });
    });
    await delay(everyMs, undefined, { signal, ref: false }).catch(() => undefined);
  }
}

async function round(options: KeeperOptions, done: Set<string>): Promise<void> {
  const { engine, launches, log, signal } = options;
  const all = await launches.list();
  for (const launchId of all) {
    if (done.has(launchId)) continue;
    if (signal.aborted) return;
    // Checked each time: a launch may have started since the list was made.
    if (await engine.look(({ runs }) => isAtWork(runs.values(), launchId as LaunchId))) continue;
    try {
      // A launch of a run that cannot be read may be alive although it is not watched.
      const { kind } = await launches.look(launchId);
      if (kind !== 'ended' && kind !== 'lost') continue;
      await launches.compress(launchId);
      done.add(launchId);
    } catch (error) {
      // One failure does not stop the others.
      log.warn('a transcript could not be compressed', { launchId, error: String(error) });
    }
  }
}

/** A launch of a live attempt counts as running until its end is journalled. */
function isAtWork(runs: Iterable<{ liveByLaunch: ReadonlyMap<LaunchId, unknown> }>, launchId: LaunchId): boolean {
  for (const run of runs) if (run.liveByLaunch.has(launchId)) return true;
  return false;
}
