// Removes what an ended run left on the disk: workspaces and refs, agents' homes with their sessions, launches with their
// transcripts, and the run's private files. What is to go is written down before the journal says that the run is removed, so
// a daemon that is killed meanwhile finishes it at the next start, and removes nothing of a run that is not removed.

import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Engine } from '../engine/engine.ts';
import { removeTree } from '../git/commands/scratch-directories.ts';
import { measure } from '../git/workspace/disk-space.ts';
import type { Workspaces } from '../git/workspace/workspaces.ts';
import type { RunId } from '../model/core/ids.ts';
import type { DaemonLog } from '../server/http/daemon-log.ts';
import type { Removal, RunFiles } from '../server/routes/route-context.ts';
import { readIfThere, writeAtomic } from '../std/files.ts';

interface Intent {
  readonly run: RunFiles;
  readonly keep: readonly string[];
}

export interface RemovedRuns extends Removal {
  /** Finishes what a killed daemon began. */
  sweep(isRemoved: (runId: string) => Promise<boolean>, signal: AbortSignal): Promise<void>;
}

export function openRemovedRuns(home: string, workspaces: Workspaces): RemovedRuns {
  const folder = join(home, 'removing');
  const path = (runId: string): string => join(folder, `${runId}.json`);
  const abandon = (runId: string): Promise<void> => rm(path(runId), { force: true });
  const finish = async (runId: string, signal: AbortSignal): Promise<void> => {
    const text = await readIfThere(path(runId));
    if (text === null) return;
    const { run, keep } = JSON.parse(text) as Intent;
    await workspaces.removeRun(run, new Set(keep), signal);
    for (const each of Object.values(await directoriesOf(home, run)).flat()) await removeTree(each);
    for (const file of ['variables', 'tools']) await rm(join(home, file, `${runId}.json`), { force: true });
    await rm(join(home, 'adopted', `${runId}.jsonl`), { force: true });
    await abandon(runId);
  };
  return {
    abandon,
    finish,
    async inspect(run, signal) {
      const left = await workspaces.inspectRun(run, signal);
      const { workspaces: own, homes, launches } = await directoriesOf(home, run);
      const bytes = await measure([...own, ...homes, ...launches], signal);
      return { ...left, workspaces: own.length, homes: homes.length, launches: launches.length, bytes };
    },
    async intend(run, keep) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeAtomic(path(run.runId), JSON.stringify({ run, keep } satisfies Intent));
    },
    async sweep(isRemoved, signal) {
      for (const name of await namesIn(folder)) {
        const runId = name.replace(/\.json$/, '');
        await ((await isRemoved(runId)) ? finish(runId, signal) : abandon(runId));
      }
    },
  };
}

/** What a killed daemon began. Files that cannot be removed keep no daemon from starting. */
export async function finishRemovals(
  removal: RemovedRuns,
  engine: Pick<Engine, 'lookRun'>,
  log: DaemonLog,
  signal: AbortSignal,
): Promise<Removal> {
  const isRemoved = (runId: string): Promise<boolean> =>
    engine.lookRun(runId as RunId, (run) => (run?.removedBy ?? null) !== null);
  await removal
    .sweep(isRemoved, signal)
    .catch((error: unknown) => log.warn('files of removed runs are left', { error: String(error) }));
  return removal;
}

/** An agent's and a launch's name begin with that of their attempt. */
async function directoriesOf(home: string, { attempts }: RunFiles): Promise<Record<Kind, string[]>> {
  const names = new Set(attempts.map(({ attemptId }) => attemptId.replace(/^attempt_/, '')));
  const within = async (parts: readonly string[], nameOf: RegExp): Promise<string[]> => {
    const all = await namesIn(join(home, ...parts));
    return all.filter((name) => names.has(nameOf.exec(name)?.[1] ?? '')).map((name) => join(home, ...parts, name));
  };
  return {
    workspaces: await within(['work', 'workspaces'], /^attempt_(.+)$/),
    homes: await within(['agents'], /^agent_(.+)$/),
    launches: await within(['launches'], /^launch_(.+)-\d+$/),
  };
}

type Kind = 'workspaces' | 'homes' | 'launches';

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}
