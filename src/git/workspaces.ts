// Workspaces: a checkout for each attempt, and its work brought home however the attempt ended. Each call may be
// repeated after a crash at any point and has its effect once. The user's repository is never written to, and git is
// never run in a directory that an agent can write its configuration to.

import { lstat, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { assert } from '../std/assert.ts';
import { Fault } from '../std/fault.ts';
import { diskFault, errnoOf } from '../std/files.ts';
import { type ArchiveLimits, archiveLeftovers, archiveOf, usualArchiveLimits } from './archive.ts';
import { captureTree } from './capture.ts';
import { checkOut } from './checkout.ts';
import { type Identity, makeCommit } from './commit.ts';
import { importCommits } from './import-commits.ts';
import {
  type AttemptNames,
  type Layout,
  linkAttempt,
  namesOf,
  openLayout,
  projectOf,
  type WorkspaceOrder,
} from './layout.ts';
import { odditiesOf } from './oddities.ts';
import { importOthers } from './other-branches.ts';
import { openProject } from './project.ts';
import { readRef, writeRef } from './refs.ts';
import { sweepScratch, withScratch } from './scratch.ts';
import { type DecidedBase, decideBase } from './starting-commit.ts';
import { createTurns, type TakeTurns } from './turns.ts';

export interface WorkspacesOptions {
  /** A directory of our own, with one user at a time. */
  readonly root: string;
  /** In whose name work is saved and agents commit. */
  readonly identity?: Identity;
  /** Where the user's own ignore file is looked for; null: nowhere. */
  readonly userHome?: string | null;
  readonly limits?: Partial<SaveLimits>;
}

export interface SaveLimits extends ArchiveLimits {
  /** A file over this goes into the archive instead of the commit. */
  readonly fileMaxBytes: number;
}

/** What code hosts take at most. */
const usualLimits: SaveLimits = { ...usualArchiveLimits, fileMaxBytes: 100 * 2 ** 20 };

export interface Workspaces {
  /** The commit that a name means now; null is what is checked out, `worktree` the user's uncommitted state. */
  decideBase(repo: { readonly path: string; readonly base: string | null }, signal: AbortSignal): Promise<DecidedBase>;
  prepare(order: WorkspaceOrder, signal: AbortSignal): Promise<PreparedWorkspace>;
  save(order: WorkspaceOrder, signal: AbortSignal): Promise<SavedWork>;
  /** The objects that the checkout borrows, wherever an agent may by now have made it borrow from. */
  borrowed(attemptId: string): Promise<readonly string[]>;
}

export interface PreparedWorkspace {
  readonly path: string;
  readonly base: string;
  /** What is otherwise than in the user's checkout, in sentences. */
  readonly notes: readonly string[];
}

export interface SavedWork {
  readonly ref: string;
  readonly commit: string;
  /** false: the files were saved, but not as the agent's own commits; a note says why. */
  readonly commitsImported: boolean;
  /** A tar.gz of what a commit cannot hold; null where there is nothing of that kind. */
  readonly archive: string | null;
  /** What is not quite as the agent left it, in sentences. */
  readonly notes: readonly string[];
}

/** Sweeps what a crash left, so nobody else may be using `root`. */
export async function openWorkspaces(options: WorkspacesOptions): Promise<Workspaces> {
  const layout = await openLayout(options.root);
  const identity = options.identity ?? { name: 'Signalbox', email: 'signalbox@localhost' };
  const takeTurns = createTurns();
  await sweepScratch(layout.scratch);
  const inTurn = <T>(
    order: WorkspaceOrder,
    signal: AbortSignal,
    work: (names: AttemptNames) => Promise<T>,
  ): Promise<T> => {
    const names = namesOf(layout, order);
    return takeTurns(names.workspace, () => {
      signal.throwIfAborted();
      return work(names);
    });
  };
  const { userHome = null } = options;
  const limits = { ...usualLimits, ...options.limits };
  return {
    decideBase: (repo, signal) => decideBase({ layout, identity, takeTurns, userHome }, repo, signal),
    prepare: async (order, signal) =>
      inTurn(order, signal, (names) => prepare({ layout, identity, takeTurns }, order, names, signal)),
    save: async (order, signal) =>
      inTurn(order, signal, (names) => save({ layout, identity, limits }, order, names, signal)),
    async borrowed(attemptId) {
      const bare = await projectOf(layout, attemptId);
      return bare === null ? [] : [join(bare, 'objects')];
    },
  };
}

async function prepare(
  { layout, identity, takeTurns }: { layout: Layout; identity: Identity; takeTurns: TakeTurns },
  order: WorkspaceOrder,
  { workspace: path, branch, baseRef }: AttemptNames,
  signal: AbortSignal,
): Promise<PreparedWorkspace> {
  const known = await projectOf(layout, order.attemptId);
  const knownBase = known === null ? null : await readRef(known, baseRef, signal);
  if (knownBase !== null && (await hasDirectory(path))) return { path, base: knownBase, notes: [] };
  const { bare, base: wanted } = await openProject(layout, order.repo, takeTurns, signal);
  // Once decided the base stays, whatever the name of it means later.
  const written = await readRef(bare, baseRef, signal);
  const base = written ?? wanted;
  await writeRef(bare, baseRef, { from: written, to: base }, signal);
  await linkAttempt(layout, order.attemptId, bare);
  const config = { 'gc.auto': '0', 'user.name': identity.name, 'user.email': identity.email };
  await withScratch(layout.scratch, async (scratch) => {
    const made = join(scratch, 'workspace');
    await checkOut({ bare, path: made, commit: base, branch, config }, signal);
    await rename(made, path).catch((cause: unknown) => {
      const fault = diskFault(cause, path);
      throw fault === cause ? new Fault('git_failed', `something else is in the way at ${path}`, { cause }) : fault;
    });
  });
  return { path, base, notes: await odditiesOf(bare, base, signal) };
}

async function save(
  { layout, identity, limits }: { layout: Layout; identity: Identity; limits: SaveLimits },
  order: WorkspaceOrder,
  { workspace, ref, othersRef, baseRef }: AttemptNames,
  signal: AbortSignal,
): Promise<SavedWork> {
  const bare = await projectOf(layout, order.attemptId);
  const base = bare === null ? null : await readRef(bare, baseRef, signal);
  if (bare === null || base === null) {
    throw new Fault('git_failed', `attempt ${order.attemptId} has no workspace: it was never prepared`);
  }
  const earlier = await readRef(bare, ref, signal);
  if (!(await hasDirectory(workspace))) {
    const gone = `the workspace ${workspace} is gone`;
    if (earlier === null) throw new Fault('git_failed', `${gone}: its work cannot be saved any more`);
    const archive = await archiveOf(layout, order.attemptId);
    return { ref, commit: earlier, commitsImported: true, archive, notes: [`${gone}; its work was saved before`] };
  }
  return withScratch(layout.scratch, async (scratch) => {
    const place = { bare, base, workspace, scratch };
    const imported = await importCommits(place, signal);
    const others = await importOthers(place, { head: imported.head, under: othersRef }, signal);
    const parent = imported.head ?? base;
    const captured = await captureTree({ ...place, parent, fileMaxBytes: limits.fileMaxBytes }, signal);
    const commit = await commitOf({ bare, parent, tree: captured.tree }, order, identity, signal);
    const { archives } = layout;
    const kept = { workspace, scratch, archives, attemptId: order.attemptId, known: new Set<string>() };
    const archived = await archiveLeftovers(kept, captured.leftovers, limits, signal);
    await writeRef(bare, ref, { from: earlier, to: commit }, signal);
    const notes = [...imported.notes, ...others, ...captured.notes, ...archived.notes];
    return { ref, commit, commitsImported: imported.head !== null, archive: archived.path, notes };
  });
}

function commitOf(
  place: { bare: string; parent: string; tree: string },
  { attemptId, title, at }: WorkspaceOrder,
  identity: Identity,
  signal: AbortSignal,
): Promise<string> {
  assert(Number.isSafeInteger(at) && at >= 0, `time of attempt ${attemptId}: ${at}`);
  const subject = title.replaceAll('\0', ' ').trim() || `Work of ${attemptId}`;
  const message = `${subject}\n\nSignalbox-Attempt: ${attemptId}\n`;
  return makeCommit({ ...place, at: Math.floor(at / 1000), message }, identity, signal);
}

/** A real directory: a link would lead to somebody else's files. */
async function hasDirectory(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isDirectory();
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return false;
    throw diskFault(error, path);
  }
}
