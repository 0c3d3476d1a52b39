// Removes everything from a former agent's directory that is not as we made it, so that a checkout over it leaves nothing of
// that agent. The agent's processes are gone, its git directory is not read, and git is not run here. Only files and
// directories that are unchanged since we made them stay. Extended attributes of directories that stay are not examined.

import { lstatSync, readdirSync } from 'node:fs';
import { chmod, lstat, readdir, rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { Fault } from '../../std/fault.ts';
import { diskFault, errnoOf } from '../../std/files.ts';
import { type IndexFile, readIndexFile } from '../commands/index-file.ts';
import { indexEntries, listingMaxBytes, pathOf } from '../commands/tree-index.ts';
import { movesShow } from './change-stamp.ts';
import { findNewer, type Newer } from './changed-since.ts';

export interface RestoreOrder {
  /** Moved to a path that no agent knows. */
  readonly tree: string;
  /** Our index of what we made. */
  readonly index: string;
  readonly stamp: string;
  /** What a first search has found. */
  readonly touched: Newer;
  /** A directory for what is removed; in the same file system. */
  readonly trash: string;
  /** Of a directory that git makes. */
  readonly directoryMode: number;
  /** A git directory of ours. */
  readonly bare: string;
  /** An id of it. */
  readonly like: string;
}

/** The files that have to be made again, as latin1 names; null: git has to find out. */
export async function restoreTree(order: RestoreOrder, signal: AbortSignal): Promise<readonly string[] | null> {
  try {
    await chmod(order.tree, 0o700);
    const bin = createBin(order);
    await bin.discard('.git');
    const index = await readIndexFile(order.index, order.like);
    const tracked = tracking(index?.names ?? (await listedNames(order, signal)));
    // A directory without permissions hides its content: it is made accessible and searched again.
    let { touched } = order;
    await clear(order, ['', ...touched.names], tracked, bin);
    for (let round = 0; !touched.whole; round += 1) {
      if (round === roundsMax) throw new Fault('git_failed', `${order.tree} cannot be searched`);
      touched = await findNewer(order.tree, order.stamp, signal);
      await clear(order, ['', ...touched.names], tracked, bin);
    }
    await chmod(order.tree, order.directoryMode);
    const isTold = index !== null && order.touched.whole && (await movesShow(order.trash));
    return isTold ? filesToRemake(order.tree, index, order.touched.names) : null;
  } catch (error) {
    throw diskFault(error, order.tree);
  }
}

const roundsMax = 50;

interface Tracked {
  readonly files: ReadonlySet<string>;
  readonly folders: ReadonlySet<string>;
}

async function listedNames({ index, bare, like }: RestoreOrder, signal: AbortSignal): Promise<string[]> {
  const entries = await indexEntries(like, {
    env: { GIT_DIR: bare, GIT_WORK_TREE: '/', GIT_INDEX_FILE: index },
    signal,
    encoding: 'latin1',
    stdoutMaxBytes: listingMaxBytes,
  });
  return entries.map(({ name }) => name);
}

function tracking(names: readonly string[]): Tracked {
  const files = new Set(names);
  const folders = new Set(['']);
  for (const name of files) {
    for (let at = name.lastIndexOf('/'); at > 0; at = name.lastIndexOf('/', at - 1)) {
      const folder = name.slice(0, at);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return { files, folders };
}

export interface Bin {
  discard(name: string): Promise<void>;
}

/** Moves things away: a large directory is removed later. */
export function createBin({ tree, trash }: Pick<RestoreOrder, 'tree' | 'trash'>): Bin {
  let count = 0;
  return {
    async discard(name) {
      const path = pathOf(tree, name);
      const found = await lstat(path).catch((error: unknown) => {
        if (errnoOf(error) === 'ENOENT') return null;
        throw error;
      });
      if (found === null) return;
      if (!found.isDirectory()) return unlink(path);
      // Moving a directory writes to it.
      if ((found.mode & 0o700) !== 0o700) await chmod(path, 0o700);
      count += 1;
      return rename(path, join(trash, String(count)));
    },
  };
}

async function clear(order: RestoreOrder, names: readonly string[], tracked: Tracked, bin: Bin): Promise<void> {
  let gone = '';
  for (const name of names) {
    if (gone !== '' && name.startsWith(`${gone}/`)) continue;
    if (tracked.folders.has(name) && (await isDirectory(order.tree, name))) {
      await clearFolder(order, name, tracked, bin);
    } else {
      await bin.discard(name);
      gone = name;
    }
  }
}

/** Something may have been moved into it that is older than the stamp. */
async function clearFolder(order: RestoreOrder, name: string, tracked: Tracked, bin: Bin): Promise<void> {
  const path = pathOf(order.tree, name);
  await chmod(path, order.directoryMode | 0o700);
  for (const inner of (await readdir(path, { encoding: 'latin1' })) as string[]) {
    const below = name === '' ? inner : `${name}/${inner}`;
    if (!tracked.files.has(below) && !tracked.folders.has(below)) await bin.discard(below);
  }
}

async function isDirectory(tree: string, name: string): Promise<boolean> {
  const found = await lstat(pathOf(tree, name)).catch(() => null);
  return found?.isDirectory() === true;
}

/**
 * The files of a cleared tree that have to be made again, as latin1 names; null: so many may be affected that git finds them
 * faster. `touched`: before the tree was cleared. If a move updates change times, a file is as we made it unless it was touched
 * itself or lies below a touched directory, which may be another one of that name. Only these are examined.
 */
function filesToRemake(tree: string, index: IndexFile, touched: readonly string[]): string[] | null {
  const { names } = index;
  const suspects = new Set(goneFromTop(tree, names));
  for (const name of touched) {
    if (name === '.git' || name.startsWith('.git/')) continue;
    const at = firstFrom(names, name);
    if (names[at] === name) suspects.add(at);
    const prefix = `${name}/`;
    for (let n = firstFrom(names, prefix); names[n]?.startsWith(prefix) === true; n += 1) suspects.add(n);
    if (suspects.size > suspectsMax) return null;
  }
  const lost = [...suspects].filter((n) => {
    const found = lstatSync(pathOf(tree, names[n] ?? ''), { bigint: true, throwIfNoEntry: false });
    return found === undefined || !index.isMadeOf(n, found);
  });
  return lost.map((n) => names[n] ?? '');
}

/** Examining one takes some microseconds, in which the daemon does nothing else. */
const suspectsMax = 4_000;

/** Entries whose topmost directory is gone. The top itself always counts as touched and cannot have been replaced. */
function goneFromTop(tree: string, names: readonly string[]): number[] {
  const there = new Set(readdirSync(tree, { encoding: 'latin1' }));
  const gone: number[] = [];
  for (const [n, name] of names.entries()) {
    const slash = name.indexOf('/');
    if (!there.has(slash < 0 ? name : name.slice(0, slash))) gone.push(n);
  }
  return gone;
}

/** The number of the first name that is not before this one. */
function firstFrom(names: readonly string[], name: string): number {
  let [low, high] = [0, names.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((names[middle] ?? '') < name) low = middle + 1;
    else high = middle;
  }
  return low;
}
