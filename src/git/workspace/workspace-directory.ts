// The directory that a checkout is made in: empty, or an ended workspace with files that we made and that are unchanged.

import { lstat, mkdir, mkdtemp, rename } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isFault } from '../../std/fault.ts';
import { diskFault } from '../../std/files.ts';
import type { Layout } from '../commands/layout.ts';
import { removeTree } from '../commands/scratch-directories.ts';
import { spareSetup } from '../setup/reuse-setup.ts';
import { noneSpared, type Spared } from '../setup/setup-cache.ts';
import { restoreTree } from './restore-tree.ts';
import { takeEnded } from './workspace-pool.ts';
import { removeRecord } from './workspace-record.ts';

export interface Ground {
  readonly bare: string;
  readonly made: string;
  readonly index: string;
  readonly scratch: string;
  /** What will be checked out there. */
  readonly commit: string;
  /** The kept result of the setup that will be wanted there; null: none. */
  readonly kept: string | null;
}

export interface DirectoryContext {
  readonly layout: Layout;
  /** Whether ended workspaces are used again. */
  readonly recycle: boolean;
  /** Removes a directory later. */
  removeLater(path: string): void;
}

export interface Broken {
  /** The part of the setup's result that is set aside until the checkout is done. */
  readonly spared: Spared;
  /** Files of the commit that are not there, if all others are as we made them; null: unknown. */
  readonly missing: readonly string[] | null;
  /** true: it is a checkout of the commit already, as we made it. */
  readonly asMade: boolean;
}

export async function makeDirectory(context: DirectoryContext, order: Ground, signal: AbortSignal): Promise<Broken> {
  const { bare, made, index, scratch, kept, commit } = order;
  const { layout } = context;
  const fresh = join(scratch, 'fresh');
  await mkdir(fresh).catch((error: unknown) => {
    throw diskFault(error, fresh);
  });
  const taken = context.recycle ? await takeEnded(layout, basename(bare), { to: made, index }, signal) : null;
  if (taken?.asMade === true && taken.base === commit) {
    await removeRecord(layout, taken.attemptId);
    return { spared: noneSpared, missing: [], asMade: true };
  }
  if (taken !== null) {
    const trash = await mkdtemp(join(layout.scratch, 'trash-'));
    const directoryMode = (await lstat(fresh)).mode & 0o777;
    try {
      const { stamp, touched, attemptId, base } = taken;
      const to = join(scratch, 'spared');
      await mkdir(to);
      const spare = { layout, attemptId, tree: made, place: kept ?? '', to, trash };
      const spared = kept === null ? noneSpared : await spareSetup(spare, signal);
      const restore = { tree: made, index, stamp, touched, trash, directoryMode, bare, like: commit };
      const lost = await restoreTree(restore, signal);
      return { spared, missing: base === commit ? lost : null, asMade: false };
    } catch (error) {
      if (!isFault(error, 'git_failed') && !isFault(error, 'read_only')) throw error;
      // Its work is saved, so it can be removed; a new one is made.
      await rename(made, join(trash, 'whole'));
      await removeTree(index);
    } finally {
      await removeRecord(layout, taken.attemptId);
      context.removeLater(trash);
    }
  }
  await rename(fresh, made);
  return { spared: noneSpared, missing: null, asMade: false };
}
