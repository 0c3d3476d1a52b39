// Ended workspaces, to be used again. One is taken only if its work is saved, nothing has changed in it since, and it is not
// held. It is moved at once to a path that no agent knows, so it is never taken twice.

import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { diskFault, errnoOf } from '../../std/files.ts';
import type { Layout } from '../commands/layout.ts';
import { hasDirectory } from '../commands/real-directory.ts';
import { isComparable } from './change-stamp.ts';
import { findNewer, findNewerAmongMany, type Newer, newerOf } from './changed-since.ts';
import { copyIndex } from './checkout.ts';
import { isUntouchedSince } from './untouched.ts';
import { isHeld } from './workspace-holds.ts';
import { readRecord, recordPlace } from './workspace-record.ts';

export interface Taken {
  readonly attemptId: string;
  /** Our index of its files, and the stamp of when they were as that says. */
  readonly index: string;
  readonly stamp: string;
  /** What was touched since. */
  readonly touched: Newer;
  /** The commit that the index is of. */
  readonly base: string;
  /** true: it is a checkout of that as we handed it over, git directory and all. */
  readonly asMade: boolean;
}

/** From now on the workspace may be used again. */
export async function offer(layout: Layout, project: string, attemptId: string): Promise<void> {
  const folder = join(layout.pool, project);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(join(folder, attemptId), '');
  } catch (error) {
    throw diskFault(error, folder);
  }
}

/** From now on it may not. */
export async function withdraw(layout: Layout, project: string, attemptId: string): Promise<void> {
  await rm(join(layout.pool, project, attemptId), { force: true });
}

/** Moves an ended workspace of the project to `to` and its index to `index`; null where none is available. */
export async function takeEnded(
  layout: Layout,
  project: string,
  { to, index }: { readonly to: string; readonly index: string },
  signal: AbortSignal,
): Promise<Taken | null> {
  for (const attemptId of await offered(layout, project)) {
    signal.throwIfAborted();
    const place = recordPlace(layout, attemptId);
    const workspace = join(layout.workspaces, attemptId);
    const there = await hasDirectory(workspace);
    const record = there ? await readRecord(layout, attemptId) : null;
    const asMade = record !== null && (await isUntouchedSince(layout, attemptId, record, workspace, signal));
    const look = async () => {
      const indexBytes = (await stat(place.index)).size;
      return (indexBytes > manyBytes ? findNewerAmongMany : findNewer)(workspace, place.madeStamp, signal);
    };
    const touched = asMade ? { names: [], whole: true } : there ? await look().catch(() => null) : null;
    if (there && (touched === null || (await whyKept(layout, attemptId, signal, touched)) !== null)) continue;
    const moved = there && (await moveAway(workspace, to));
    await withdraw(layout, project, attemptId);
    if (!moved || touched === null || record === null) continue;
    await copyIndex(place.index, index);
    return { attemptId, index, stamp: place.madeStamp, touched, base: record.base, asMade };
  }
  return null;
}

/** An index of this size has some ten thousand files. */
const manyBytes = 2 ** 20;

async function moveAway(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return false;
    throw diskFault(error, from);
  }
}

/** Why a workspace must be kept, in words that follow "kept because"; null: it may be removed. */
export async function whyKept(
  layout: Layout,
  attemptId: string,
  signal: AbortSignal,
  /** What was touched since it was made, if that is known already: it need not be searched again. */
  touched: Newer | null = null,
): Promise<string | null> {
  const record = await readRecord(layout, attemptId);
  if (record === null) return 'nothing is known of it';
  if (record.saved === null) return 'its work is not saved';
  if (record.saved.left.length > 0)
    return `something in it is nowhere else: ${record.saved.left.slice(0, 3).join(', ')}`;
  if (await isHeld(layout, attemptId)) return 'somebody holds it';
  if (!isComparable(record.made) || !isComparable(record.saved.at)) {
    return 'the clock or the machine was set anew since, so changes in it could not be told';
  }
  const workspace = join(layout.workspaces, attemptId);
  const { savedStamp } = recordPlace(layout, attemptId);
  const few = touched !== null && touched.whole && touched.names.length <= lookedAtMax;
  const changed = few
    ? await newerOf(workspace, touched.names, savedStamp)
    : await findNewer(workspace, savedStamp, signal).then(
        ({ names }) => names,
        () => null,
      );
  if (changed === null) return 'it cannot be searched';
  const [first] = changed;
  return first === undefined ? null : `it was changed after its work was saved: ${first}`;
}

/** More than these are found faster by a search. */
const lookedAtMax = 2_000;

/** The oldest first: ids sort by their time. */
async function offered(layout: Layout, project: string): Promise<string[]> {
  const names: string[] = await readdir(join(layout.pool, project)).catch(() => []);
  return names.sort();
}
