// Saves an attempt's work: its commits, its files, and what no commit can hold. It works however the attempt ended, and
// may be repeated. Then the teardown runs and the workspace may be used again.

import type { SavedWork, WorkspaceOrder } from '../../ports/workspace-port.ts';
import { Fault } from '../../std/fault.ts';
import { filesBetween, pathsOf } from '../commands/changed-files.ts';
import { nothingChanged, pathsBetween } from '../commands/changed-paths.ts';
import { commitTree, type Identity, wordsOf } from '../commands/create-commit.ts';
import { git } from '../commands/git.ts';
import { type AttemptNames, type Layout, projectOf } from '../commands/layout.ts';
import { hasDirectory } from '../commands/real-directory.ts';
import { readRef, writeRef } from '../commands/refs.ts';
import { withScratch } from '../commands/scratch-directories.ts';
import { shownName } from '../commands/tree-index.ts';
import type { ScriptMeans } from '../setup/repository-script.ts';
import { type IncludedFile, isUnchanged } from '../setup/worktree-include.ts';
import { isComparable } from '../workspace/change-stamp.ts';
import { findNewer } from '../workspace/changed-since.ts';
import { endWorkspace } from '../workspace/end-workspace.ts';
import { surveyWorkspace } from '../workspace/survey-changes.ts';
import { throwAway } from '../workspace/throw-away-workspace.ts';
import { isUntouched, takeAsSaved } from '../workspace/untouched.ts';
import { readRecord, recordPlace, type WorkspaceRecord } from '../workspace/workspace-record.ts';
import { archiveLeftovers, archiveOf, usualArchiveLimits } from './archive-leftovers.ts';
import { captureTree } from './capture-tree.ts';
import { importCommits } from './import-commits.ts';
import type { ArchiveLimits } from './leftovers-to-keep.ts';
import { importOthers } from './other-branches.ts';

export interface SaveContext {
  readonly layout: Layout;
  readonly identity: Identity;
  readonly limits: SaveLimits;
  readonly scripts: ScriptMeans;
}

export interface SaveLimits extends ArchiveLimits {
  /** A file over this goes into the archive instead of the commit. */
  readonly fileMaxBytes: number;
}

/** The limit of code hosts. */
export const usualSaveLimits: SaveLimits = { ...usualArchiveLimits, fileMaxBytes: 100 * 2 ** 20 };

export interface SavedWorkspace extends Required<SavedWork> {
  /** false: the files were saved, but not as the agent's own commits; a note says why. */
  readonly commitsImported: boolean;
  /** A tar.gz of what a commit cannot hold; null where there is nothing of that kind. */
  readonly archive: string | null;
}

export async function saveWorkspace(
  context: SaveContext,
  order: WorkspaceOrder,
  { workspace, ref, othersRef, baseRef }: AttemptNames,
  signal: AbortSignal,
): Promise<SavedWorkspace> {
  const { layout, identity, limits } = context;
  const { attemptId } = order;
  const bare = await projectOf(layout, attemptId);
  const base = bare === null ? null : await readRef(bare, baseRef, signal);
  if (bare === null || base === null) {
    throw new Fault('git_failed', `attempt ${attemptId} has no workspace: it was never prepared`);
  }
  if (!order.keeps) {
    const thrown = await throwAway(context, order, { bare, base, workspace }, signal);
    return { ref: '', commit: base, commitsImported: false, uncommitted: 0, archive: null, files: [], ...thrown };
  }
  const earlier = await readRef(bare, ref, signal);
  if (!(await hasDirectory(workspace))) {
    const gone = `the workspace ${workspace} is gone`;
    if (earlier === null) throw new Fault('git_failed', `${gone}: its work can no longer be saved`);
    const archive = await archiveOf(layout, attemptId);
    const files = await filesBetween(bare, base, earlier, signal);
    const uncommitted = await uncommittedInSaved(bare, { attemptId, commit: earlier }, signal);
    const notes = [`${gone}; its work was saved before`];
    const work = { changed: pathsOf(files), files, uncommitted };
    return { ref, commit: earlier, commitsImported: true, ...work, archive, notes };
  }
  return withScratch(layout.scratch, async (scratch) => {
    const record = await readRecord(layout, attemptId);
    const place = { bare, base, workspace, scratch };
    const { sandboxed } = order;
    const savedMore = earlier !== null && earlier !== base;
    if (record !== null && !savedMore && (await isUntouched(layout, attemptId, record, workspace, signal))) {
      await writeRef(bare, ref, { from: earlier, to: base }, signal);
      const saved = { commit: base, left: [], untouched: true };
      const at = await takeAsSaved(layout, attemptId, record);
      const notes = await endWorkspace(context, { ...place, attemptId, sandboxed, saved, record, at }, signal);
      const none = { changed: nothingChanged, files: [], uncommitted: 0, archive: null };
      return { ref, commit: base, commitsImported: true, ...none, notes };
    }
    const { fileMaxBytes } = limits;
    const { at, seed, large } = await surveyWorkspace({ layout, attemptId, workspace, record, fileMaxBytes }, signal);
    const imported = await importCommits(place, signal);
    const others = await importOthers(place, { head: imported.head, under: othersRef }, signal);
    const parent = imported.head ?? base;
    const captured = await captureTree({ ...place, parent, seed, large }, signal);
    const { tree } = captured;
    const commit =
      tree === null ? parent : await commitTree({ bare, parent, tree, ...wordsOf(order) }, identity, signal);
    const known = new Set([
      ...(await asCopied(workspace, record?.included ?? [])),
      ...(record === null ? [] : await asSetUp(layout, attemptId, record, workspace, signal)),
    ]);
    const kept = { workspace, scratch, archives: layout.archives, attemptId, known };
    const archived = await archiveLeftovers(kept, captured.leftovers, limits, signal);
    await writeRef(bare, ref, { from: earlier, to: commit }, signal);
    const saved = { commit, left: [...others.left, ...archived.left].map(shownName) };
    const ending = { ...place, attemptId, sandboxed, saved };
    const down = record === null || at === null ? [] : await endWorkspace(context, { ...ending, record, at }, signal);
    const { head } = imported;
    const files = parent === base ? captured.changed : await filesBetween(bare, base, commit, signal);
    const { uncommitted, ...rest } = uncommittedOf(captured.changed.length, { base, head });
    const notes = [imported, rest, others, captured, archived].flatMap((each) => each.notes).concat(down);
    const work = { commitsImported: head !== null, changed: pathsOf(files), files, uncommitted };
    return { ref, commit, ...work, archive: archived.path, notes };
  });
}

/** Directories that the setup makes again and that are unchanged. */
async function asSetUp(
  layout: Layout,
  attemptId: string,
  { made, setup }: WorkspaceRecord,
  workspace: string,
  signal: AbortSignal,
): Promise<string[]> {
  if (setup === undefined || setup === null || setup.length === 0 || !isComparable(made)) return [];
  const { names, whole } = await findNewer(workspace, recordPlace(layout, attemptId).readyStamp, signal);
  const wanted = setup.map((name) => Buffer.from(name).toString('latin1'));
  return whole ? wanted.filter((name) => !names.some((each) => each === name || each.startsWith(`${name}/`))) : [];
}

/** Copied files that are unchanged: the user has them. */
async function asCopied(workspace: string, included: readonly IncludedFile[]): Promise<Set<string>> {
  const same = new Set<string>();
  for (const file of included) if (await isUnchanged(workspace, file)) same.add(file.name);
  return same;
}

interface Uncommitted {
  /** How many paths. */
  readonly uncommitted: number;
  /** Only where the agent made commits of its own: otherwise saving its files is normal. */
  readonly notes: readonly string[];
}

/** `count`: how many paths differ between the saved commit and the agent's last commit, or else its base. */
function uncommittedOf(count: number, { base, head }: { base: string; head: string | null }): Uncommitted {
  const words = count === 1 ? 'one path was' : `${count} paths were`;
  const notes = [`${words} not in the agent's own commits and saved for it`];
  return { uncommitted: count, notes: count === 0 || head === null || head === base ? [] : notes };
}

/**
 * By the saved commit alone: if its message says that it is ours, its parent is the agent's last commit or the base.
 */
async function uncommittedInSaved(
  bare: string,
  { attemptId, commit }: { attemptId: string; commit: string },
  signal: AbortSignal,
): Promise<number> {
  const args = ['log', '-1', '--no-show-signature', '--format=%P%n%B', commit];
  const [parents = '', ...message] = (await git(args, { env: { GIT_DIR: bare }, signal })).stdout.trim().split('\n');
  const parent = parents.split(' ')[0] ?? '';
  if (parent === '' || message.at(-1) !== `Signalbox-Attempt: ${attemptId}`) return 0;
  return (await pathsBetween(bare, parent, commit, signal)).length;
}
