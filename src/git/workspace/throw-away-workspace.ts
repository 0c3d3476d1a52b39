// Ends a workspace whose work was never to be kept: nothing is imported and no ref is written. What is thrown away is
// counted.

import { join } from 'node:path';
import type { Changed, WorkspaceOrder } from '../../ports/workspace-port.ts';
import { isFault } from '../../std/fault.ts';
import { firstOf, nothingChanged } from '../commands/changed-paths.ts';
import { git } from '../commands/git.ts';
import type { Layout } from '../commands/layout.ts';
import { makeGitDir } from '../commands/own-git-dir.ts';
import { pathText } from '../commands/path-text.ts';
import { hasDirectory } from '../commands/real-directory.ts';
import { removePipes } from '../commands/refuse-pipes.ts';
import { withScratch } from '../commands/scratch-directories.ts';
import { doubtFiles, listingMaxBytes, records, type TreeOptions } from '../commands/tree-index.ts';
import type { ScriptMeans } from '../setup/repository-script.ts';
import { setStamp } from './change-stamp.ts';
import { copyIndex } from './checkout.ts';
import { endWorkspace } from './end-workspace.ts';
import { type Seed, seedOf } from './known-files.ts';
import { readRecord, recordPlace } from './workspace-record.ts';

export interface ThrownAway {
  readonly changed: Changed;
  readonly notes: readonly string[];
}

export async function throwAway(
  context: { readonly layout: Layout; readonly scripts: ScriptMeans },
  { attemptId, sandboxed }: WorkspaceOrder,
  place: { readonly bare: string; readonly base: string; readonly workspace: string },
  signal: AbortSignal,
): Promise<ThrownAway> {
  const { layout } = context;
  const record = await readRecord(layout, attemptId);
  if (!(await hasDirectory(place.workspace)) || record === null) return { changed: nothingChanged, notes: [] };
  return withScratch(layout.scratch, async (scratch) => {
    await removePipes(place.workspace, signal);
    const at = await setStamp(recordPlace(layout, attemptId).savedStamp);
    const seed = () => seedOf(layout, attemptId, record, place.workspace, signal);
    const counted = await count({ ...place, scratch }, seed, signal);
    const saved = { commit: place.base, left: [], thrownAway: true };
    const down = await endWorkspace(context, { ...place, attemptId, scratch, sandboxed, record, at, saved }, signal);
    return { changed: counted.changed, notes: [...counted.notes, ...down] };
  });
}

interface CountPlace {
  readonly bare: string;
  readonly base: string;
  readonly workspace: string;
  readonly scratch: string;
}

/** Whatever an agent did to its files: a failure to count them is no reason to keep them. */
async function count(place: CountPlace, seed: () => Promise<Seed | null>, signal: AbortSignal): Promise<ThrownAway> {
  try {
    const paths = await differing(place, await seed(), signal);
    const words = paths.length === 1 ? 'a change to one path was' : `changes to ${paths.length} paths were`;
    return { changed: firstOf(paths), notes: paths.length === 0 ? [] : [`${words} thrown away, as was said`] };
  } catch (error) {
    if (!isFault(error, 'git_failed') && !isFault(error, 'timed_out')) throw error;
    return { changed: nothingChanged, notes: [`what was thrown away could not be counted: ${error.message}`] };
  }
}

/** Compares with our git directory and index, writes no object, and never looks into a nested repository. */
async function differing(
  { bare, base, workspace, scratch }: CountPlace,
  seed: Seed | null,
  signal: AbortSignal,
): Promise<string[]> {
  const gitDir = join(scratch, 'count.git');
  await makeGitDir({ path: gitDir, like: base, borrow: join(bare, 'objects') }, signal);
  const index = join(scratch, 'count.index');
  const options: TreeOptions = {
    cwd: workspace,
    env: { GIT_DIR: gitDir, GIT_WORK_TREE: workspace, GIT_INDEX_FILE: index },
    signal,
    encoding: 'latin1',
    stdoutMaxBytes: listingMaxBytes,
  };
  if (seed === null) await git(['read-tree', base], options);
  else {
    await copyIndex(seed.index, index);
    await doubtFiles(seed.touched, base, options);
  }
  // Files that were only touched are as they were; 1: others are not.
  await git(['update-index', '-q', '--ignore-submodules', '--refresh'], { ...options, accept: [0, 1] });
  const tracked = await git(['diff-files', '-z', '--name-only', '--no-renames', '--ignore-submodules=all'], options);
  const others = await git(['ls-files', '-z', '--others', '--exclude-standard'], options);
  return [...new Set([...records(tracked.stdout), ...records(others.stdout)])].map(pathText);
}
