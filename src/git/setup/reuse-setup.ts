// Reuses the result of a setup in a workspace that is used again: copying it would take longer than all the rest. It is moved
// aside while the tree is restored and moved back afterwards, if the next attempt wants the same kept result. What changed in
// it since it was ready, by change times, is copied from the kept result again, directories with all their content, since
// something may have been moved there: nothing of the former agent stays. Extended attributes of the topmost directory are not
// examined.

import { chmod, constants, copyFile, lstat, mkdir, readdir, rename, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { isFault } from '../../std/fault.ts';
import { errnoOf } from '../../std/files.ts';
import type { Layout } from '../commands/layout.ts';
import { hasDirectory } from '../commands/real-directory.ts';
import { pathOf } from '../commands/tree-index.ts';
import { inodeOf, movesShow } from '../workspace/change-stamp.ts';
import { findNewer, type Newer } from '../workspace/changed-since.ts';
import { createBin } from '../workspace/restore-tree.ts';
import { readRecord, recordPlace } from '../workspace/workspace-record.ts';
import { copyTree, noneSpared, originOf, type Spared } from './setup-cache.ts';

export interface SpareOrder {
  readonly layout: Layout;
  /** The attempt that had the workspace. */
  readonly attemptId: string;
  /** Moved to a path that no agent knows. */
  readonly tree: string;
  /** The kept result that is wanted. */
  readonly place: string;
  /** An empty directory for what is kept, and one for what is removed; both in the same file system. */
  readonly to: string;
  readonly trash: string;
}

export async function spareSetup(order: SpareOrder, signal: AbortSignal): Promise<Spared> {
  const { layout, attemptId, tree, place, to, trash } = order;
  const record = await readRecord(layout, attemptId);
  const origin = await originOf(place);
  const equal = record?.setupEqual ?? null;
  if (origin === null || record === null || equal?.origin !== origin || !(await movesShow(to))) return noneSpared;
  const { readyStamp } = recordPlace(layout, attemptId);
  const at = new Map<string, string>();
  for (const [n, name] of (record.setup ?? []).entries()) {
    if (!(await isReached(tree, name)) || (await inodeOf(join(tree, name))) !== equal.inodes[n]) continue;
    const aside = join(to, String(n));
    const bin = join(trash, `setup-${n}`);
    await mkdir(bin);
    try {
      await rename(join(tree, name), aside);
      const touched = await findNewer(aside, readyStamp, signal);
      const kept = join(place, 'files', name);
      if (await restoreTouched({ made: aside, kept, touched, trash: bin }, signal)) at.set(name, aside);
    } catch (error) {
      signal.throwIfAborted();
      // It is copied instead.
      if (!isFault(error) && errnoOf(error) === undefined) throw error;
    } finally {
      if (!at.has(name)) await rename(aside, join(bin, 'whole')).catch(() => undefined);
    }
  }
  return { origin, at };
}

/** A directory, by directories: a link on the way could lead anywhere. */
async function isReached(tree: string, name: string): Promise<boolean> {
  const parts = name.split('/');
  for (let at = 1; at <= parts.length; at += 1) {
    if (!(await hasDirectory(join(tree, ...parts.slice(0, at))))) return false;
  }
  return true;
}

interface FixOrder {
  readonly made: string;
  readonly kept: string;
  readonly touched: Newer;
  readonly trash: string;
}

/** Restores what was touched from the kept result; false: that is too much, or cannot be determined. */
async function restoreTouched({ made, kept, touched, trash }: FixOrder, signal: AbortSignal): Promise<boolean> {
  if (!touched.whole || touched.names.length > fixedMax || !touched.names.every(isText)) return false;
  const bin = createBin({ tree: made, trash });
  const top = await lstat(kept);
  if (!top.isDirectory()) return false;
  await chmod(made, 0o700);
  const wanted = new Set(await readdir(kept));
  const found = new Set(await readdir(made));
  for (const name of found) if (!wanted.has(name)) await bin.discard(latin1(name));
  let done: string | null = null;
  for (const name of touched.names) {
    if (done !== null && name.startsWith(`${done}/`)) continue;
    await bin.discard(name);
    await copyOne(kept, made, name, signal);
    done = name;
  }
  for (const name of wanted) if (!found.has(name)) await copyOne(kept, made, latin1(name), signal);
  await chmod(made, top.mode & 0o7777);
  return true;
}

/** More than these are copied faster all at once. */
const fixedMax = 2_000;

/** Copies nothing if the kept result has nothing of that name. */
async function copyOne(kept: string, made: string, name: string, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const [from, to] = [pathOf(kept, name), pathOf(made, name)];
  const found = await lstat(from).catch((error: unknown) => {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') return null;
    throw error;
  });
  if (found === null) return;
  if (!found.isFile()) return copyTree(from.toString(), to.toString(), signal);
  await copyFile(from, to, constants.COPYFILE_FICLONE);
  await chmod(to, found.mode & 0o7777);
  await utimes(to, found.atime, found.mtime);
}

function latin1(name: string): string {
  return Buffer.from(name).toString('latin1');
}

/** Names that are not UTF-8 cannot be passed to a program. */
function isText(name: string): boolean {
  return latin1(Buffer.from(name, 'latin1').toString('utf8')) === name;
}
