// The record as it lies on the disk, read by the test itself while a daemon may be writing: journal, launch directories,
// and the repository that holds the work.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { loadHost, loadRun } from '../../../src/engine/load-stream.ts';
import type { RunEvent } from '../../../src/model/core/events.ts';
import type { RunId } from '../../../src/model/core/ids.ts';
import type { Run } from '../../../src/model/core/run.ts';
import { evolve } from '../../../src/model/evolve.ts';
import { readEvent } from '../../../src/model/format.ts';
import { emptyRun } from '../../../src/model/new-state.ts';
import { writeRun } from '../../../src/model/snapshot.ts';
import type { Journal } from '../../../src/ports/journal.ts';
import { viewRun } from '../../../src/server/views/run-view.ts';
import { openSqliteJournal } from '../../../src/store/sqlite/sqlite-journal.ts';
import type { RunView, TaskView } from '../../../src/wire/views.ts';
import { readOr, type World } from '../daemon/daemon-world.ts';

type Of<Type extends RunEvent['type']> = Extract<RunEvent, { type: Type }>;

export interface Record {
  readonly events: readonly RunEvent[];
  of<Type extends RunEvent['type']>(type: Type): Of<Type>[];
}

export async function withJournal<T>(world: World, use: (journal: Journal) => Promise<T>): Promise<T> {
  const journal = await openSqliteJournal({ path: join(world.home, 'journal.db'), readOnly: true });
  try {
    return await use(journal);
  } finally {
    await journal.close();
  }
}

export function recordOf(world: World, runId: string): Promise<Record> {
  return withJournal(world, async (journal) => {
    const events: RunEvent[] = [];
    for (;;) {
      const page = await journal.read(runId, events.length, 1_000);
      if (page.length === 0) break;
      for (const stored of page) events.push(readEvent<RunEvent>(stored, stored.at));
    }
    return { events, of: (type) => events.filter((event): event is Of<typeof type> => event.type === type) };
  });
}

/** The view of the run if all its events up to `seq` were folded again; progress is no state. */
export async function replayedView(world: World, runId: string, seq: number): Promise<RunView> {
  const { events } = await recordOf(world, runId);
  const run = foldOf(events.slice(0, seq));
  const host = await withJournal(world, (journal) => loadHost(journal, 'local'));
  const gitDir = (attemptId: string): string => join(world.home, 'work', 'attempts', attemptId);
  const none = { progress: () => null, reopen: () => null, usedPorts: new Map<string, number>() };
  return viewRun(run, { host, runs: new Map() }, { gitDir, branchRef: (runId) => runId, ...none });
}

/** The run as the daemon would load it, with its snapshots, and as its events alone make it. */
export async function twoFolds(world: World, runId: string): Promise<{ loaded: string; folded: string }> {
  const loaded = await withJournal(world, (journal) => loadRun(journal, runId as RunId));
  const { events } = await recordOf(world, runId);
  return { loaded: loaded === null ? '' : writeRun(loaded), folded: writeRun(foldOf(events.slice(0, loaded?.seq))) };
}

function foldOf(events: readonly RunEvent[]): Run {
  const run = emptyRun();
  for (const event of events) evolve(run, event);
  return run;
}

export type LaunchFile = 'in' | 'out' | 'rc' | 'spec.json';

export function launchFile(world: World, launchId: string, name: LaunchFile): string {
  const path = join(world.home, 'launches', launchId, name);
  // Twice: what has ended may be compressed between the two questions.
  for (let tries = 0; tries < 2; tries++) {
    if (existsSync(path)) return readOr(path);
    if (existsSync(`${path}.gz`)) return gunzipSync(readFileSync(`${path}.gz`)).toString();
  }
  return '';
}

/** Saved work of a run: its refs, each with the commit it names. */
export function savedWork(world: World, { id, tasks }: RunView): Map<string, string> {
  const gitDir = tasks.find(({ attempt }) => attempt !== null)?.attempt?.gitDir ?? '';
  const args = ['--git-dir', realpathSync(gitDir), 'for-each-ref', '--format=%(refname) %(objectname)'];
  const lines = execFileSync('git', [...args, `refs/signalbox/${id}/`], { encoding: 'utf8', env: world.env });
  const pairs = lines.trim().split('\n').filter(Boolean);
  return new Map(pairs.map((line) => line.split(' ') as [string, string]));
}

export function gitOf(world: World, { attempt }: TaskView, ...args: string[]): string {
  const gitDir = realpathSync(attempt?.gitDir ?? '');
  return execFileSync('git', ['--git-dir', gitDir, ...args], { encoding: 'utf8', env: world.env }).trim();
}
