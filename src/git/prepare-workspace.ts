// Makes the workspace of an attempt: a checkout of its base, in the place of an ended workspace where there is one. It is
// made aside and moved to its place when it is whole, and set up there as the repository says. Preparing again finds what
// is there and leaves it alone, unless its setup did not come to its end.

import { lstat, mkdir, mkdtemp, rename, utimes } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Fault, isFault } from '../std/fault.ts';
import { diskFault } from '../std/files.ts';
import { checkOut, copyIndex } from './checkout.ts';
import type { Identity } from './commit.ts';
import { hasDirectory } from './directory.ts';
import { discardWorkspace } from './discard.ts';
import { type AttemptNames, type Layout, linkAttempt, projectOf, type WorkspaceOrder } from './layout.ts';
import { setStamp } from './moment.ts';
import { odditiesOf } from './oddities.ts';
import { takeEnded, withdraw } from './pool.ts';
import { claimPorts, releasePorts } from './port-blocks.ts';
import { openProject } from './project.ts';
import { openRecord, readRecord, recordPlace, removeRecord, writeRecord } from './record.ts';
import { readRef, writeRef } from './refs.ts';
import { restoreTree } from './restore-tree.ts';
import { removeTree, withScratch } from './scratch.ts';
import { findSetup, type SetupContext, setUp } from './setup.ts';
import { copyIncluded, usualIncludeLimits } from './worktree-include.ts';

export interface PrepareContext extends SetupContext {
  readonly identity: Identity;
  readonly userHome: string | null;
  /** Whether ended workspaces are used again. */
  readonly recycle: boolean;
  /** Has a directory taken apart, some time. */
  removeLater(path: string): void;
}

export interface PreparedWorkspace {
  readonly path: string;
  readonly base: string;
  /** What is otherwise than in the user's checkout, in sentences. */
  readonly notes: readonly string[];
}

export async function prepareWorkspace(
  context: PrepareContext,
  order: WorkspaceOrder,
  { workspace: path, branch, baseRef }: AttemptNames,
  signal: AbortSignal,
): Promise<PreparedWorkspace> {
  const { layout, takeTurns, identity } = context;
  const known = await projectOf(layout, order.attemptId);
  const knownBase = known === null ? null : await readRef(known, baseRef, signal);
  const there = await hasDirectory(path);
  if (there && (await readRecord(layout, order.attemptId))?.setup === null) {
    await discardWorkspace(context, order.attemptId);
  } else if (known !== null && knownBase !== null && there) {
    await takeBack(layout, basename(known), order.attemptId, signal);
    return { path, base: knownBase, notes: [] };
  }
  const { bare, root, base: wanted } = await openProject(layout, order.repo, takeTurns, signal);
  // Once decided the base stays, whatever the name of it means later.
  const written = await readRef(bare, baseRef, signal);
  const base = written ?? wanted;
  await writeRef(bare, baseRef, { from: written, to: base }, signal);
  await linkAttempt(layout, order.attemptId, bare);
  const config = { 'gc.auto': '0', 'user.name': identity.name, 'user.email': identity.email };
  return withScratch(layout.scratch, async (scratch) => {
    const aside = join(scratch, 'workspace');
    const index = join(scratch, 'index');
    await ground(context, { bare, made: aside, index, scratch }, signal);
    await checkOut({ bare, path: aside, commit: base, branch, config, index }, signal);
    const { madeStamp } = recordPlace(layout, order.attemptId);
    const folder = await openRecord(layout, order.attemptId);
    await keepIndex(index, join(folder, 'index'));
    const moment = await setStamp(madeStamp);
    const included = await copyIncluded(
      { root, workspace: aside, userHome: context.userHome },
      usualIncludeLimits,
      signal,
    );
    const port = await claimPorts(layout, order.attemptId, signal);
    const found = await findSetup(bare, base, signal);
    const setup = found.setup === null ? [] : null;
    const record = { project: basename(bare), base, included: included.files, port, made: moment, setup, saved: null };
    await writeRecord(layout, order.attemptId, record);
    await rename(aside, path).catch((cause: unknown) => {
      const fault = diskFault(cause, path);
      throw fault === cause ? new Fault('git_failed', `something else is in the way at ${path}`, { cause }) : fault;
    });
    const notes = [...(await odditiesOf(bare, base, signal)), ...included.notes, ...found.notes];
    if (found.setup === null) return { path, base, notes };
    const names = included.files.map(({ name }) => name);
    const { sandboxed } = order;
    const place = {
      bare,
      base,
      workspace: path,
      index: join(folder, 'index'),
      scratch,
      included: names,
      port,
      sandboxed,
    };
    const made = await setUp(context, place, found.setup, signal).catch(async (error: unknown) => {
      if (!isFault(error, 'setup_failed')) throw error;
      await releasePorts(layout, port);
      await discardWorkspace(context, order.attemptId);
      throw error;
    });
    await setStamp(recordPlace(layout, order.attemptId).readyStamp);
    await writeRecord(layout, order.attemptId, { ...record, setup: made.names });
    return { path, base, notes: [...notes, ...made.notes] };
  });
}

/**
 * Dated ahead by a second at most. git reads every file that is as young as the index, since a change in the same second
 * does not show; here such a change shows against the stamp, and all of a fast checkout would be read.
 */
async function keepIndex(from: string, to: string): Promise<void> {
  await copyIndex(from, to);
  const next = Math.floor(Date.now() / 1000) + 1;
  await utimes(to, next, next);
}

/** An attempt that goes on in its workspace: what it does there is not saved. */
async function takeBack(layout: Layout, project: string, attemptId: string, signal: AbortSignal): Promise<void> {
  const record = await readRecord(layout, attemptId);
  if (record === null || record.saved === null) return;
  await withdraw(layout, project, attemptId);
  await writeRecord(layout, attemptId, { ...record, port: await claimPorts(layout, attemptId, signal), saved: null });
}

interface Ground {
  readonly bare: string;
  readonly made: string;
  readonly index: string;
  readonly scratch: string;
}

/** A directory for the checkout: empty, or with files that we made and nobody touched. */
async function ground(context: PrepareContext, { bare, made, index, scratch }: Ground, signal: AbortSignal) {
  const { layout } = context;
  const fresh = join(scratch, 'fresh');
  await mkdir(fresh).catch((error: unknown) => {
    throw diskFault(error, fresh);
  });
  const taken = context.recycle ? await takeEnded(layout, basename(bare), { to: made, index }, signal) : null;
  if (taken !== null) {
    const trash = await mkdtemp(join(layout.scratch, 'trash-'));
    const directoryMode = (await lstat(fresh)).mode & 0o777;
    try {
      const { stamp, touched } = taken;
      await restoreTree({ tree: made, index, stamp, touched, trash, directoryMode, bare }, signal);
      return;
    } catch (error) {
      if (!isFault(error, 'git_failed') && !isFault(error, 'read_only')) throw error;
      // Its work is saved, so it can go; a new one is made.
      await rename(made, join(trash, 'whole'));
      await removeTree(index);
    } finally {
      await removeRecord(layout, taken.attemptId);
      context.removeLater(trash);
    }
  }
  await rename(fresh, made);
}
