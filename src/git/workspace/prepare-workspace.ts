// Prepares the workspace of an attempt: a checkout of its base, in an ended workspace where there is one. It is made
// aside, moved into place when it is complete, and set up there. Preparing again returns the existing workspace, unless
// its setup was interrupted.

import { rename, utimes } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { PreparedWorkspace, WorkspaceOrder } from '../../ports/workspace-port.ts';
import { Fault, isFault } from '../../std/fault.ts';
import { diskFault } from '../../std/files.ts';
import type { Identity } from '../commands/create-commit.ts';
import { type AttemptNames, type Layout, linkAttempt, projectOf } from '../commands/layout.ts';
import { hasDirectory } from '../commands/real-directory.ts';
import { readRef, writeRef } from '../commands/refs.ts';
import { withScratch } from '../commands/scratch-directories.ts';
import { openProject } from '../project/project.ts';
import { unsupportedContent } from '../project/unsupported-content.ts';
import {
  findSetup,
  keptPlace,
  runTaskSetup,
  type SetUp,
  type SetupContext,
  type SetupOrder,
  setUp,
} from '../setup/setup.ts';
import { copyIncluded, usualIncludeLimits } from '../setup/worktree-include.ts';
import { inodeOf, setStamp } from './change-stamp.ts';
import { checkOut, copyIndex } from './checkout.ts';
import { discardWorkspace } from './discard-workspace.ts';
import { claimPorts, releasePorts } from './port-blocks.ts';
import { handOver } from './untouched.ts';
import { type DirectoryContext, makeDirectory } from './workspace-directory.ts';
import { withdraw } from './workspace-pool.ts';
import { openRecord, readRecord, recordPlace, type WorkspaceRecord, writeRecord } from './workspace-record.ts';

export interface PrepareContext extends SetupContext, DirectoryContext {
  readonly identity: Identity;
  readonly userHome: string | null;
}

export async function prepareWorkspace(
  context: PrepareContext,
  order: WorkspaceOrder,
  { workspace: path, branch, baseRef }: AttemptNames,
  signal: AbortSignal,
): Promise<Required<PreparedWorkspace>> {
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
  // Once decided, the base stays the same, whatever its name means later.
  const written = await readRef(bare, baseRef, signal);
  const base = written ?? wanted;
  await writeRef(bare, baseRef, { from: written, to: base }, signal);
  await linkAttempt(layout, order.attemptId, bare);
  const config = { 'gc.auto': '0', 'user.name': identity.name, 'user.email': identity.email };
  return withScratch(layout.scratch, async (scratch) => {
    const aside = join(scratch, 'workspace');
    const index = join(scratch, 'index');
    const found = await findSetup(bare, base, order.usualSetup, signal);
    const kept = await keptPlace(context, bare, base, found.setup, signal);
    const ground = { bare, made: aside, index, scratch, kept, commit: base };
    const { spared, missing, asMade } = await makeDirectory(context, ground, signal);
    await checkOut({ bare, path: aside, commit: base, branch, config, index, missing, asMade }, signal);
    const { madeStamp } = recordPlace(layout, order.attemptId);
    const folder = await openRecord(layout, order.attemptId);
    await keepIndex(index, join(folder, 'index'));
    const moment = await setStamp(madeStamp);
    const from = { root, workspace: aside, userHome: context.userHome };
    const included = await copyIncluded(from, usualIncludeLimits, signal);
    const port = await claimPorts(layout, order.attemptId, signal);
    const byTask = order.setup ?? null;
    const isSetUp = found.setup === null && byTask === null;
    const setup = isSetUp ? [] : null;
    const record = { project: basename(bare), base, included: included.files, port, made: moment, setup, saved: null };
    await writeRecord(layout, order.attemptId, record);
    await moveIntoPlace(aside, path);
    const notes = [...(await unsupportedContent(bare, base, signal)), ...included.notes, ...found.notes];
    if (isSetUp) {
      await handOver(layout, order.attemptId, record);
      return { path, base, notes };
    }
    const place = {
      bare,
      base,
      workspace: path,
      index: join(folder, 'index'),
      scratch,
      included: included.files.map(({ name }) => name),
      port,
      command: found.setup?.command ?? null,
      sandboxed: order.sandboxed,
      place: kept,
      mayKeep: order.unproved !== true,
      spared,
    };
    const wanted = { byRepository: found.setup !== null, byTask };
    const made = await setUpThere(context, order.attemptId, place, wanted, record, signal);
    return { path, base, notes: [...notes, ...made] };
  });
}

async function moveIntoPlace(made: string, path: string): Promise<void> {
  await rename(made, path).catch((cause: unknown) => {
    const fault = diskFault(cause, path);
    throw fault === cause
      ? new Fault('git_failed', `${path} exists and is not a workspace: move it away and try again`, { cause })
      : fault;
  });
}

/** Notes for people. */
async function setUpThere(
  context: PrepareContext,
  attemptId: string,
  place: SetupOrder,
  wanted: { readonly byRepository: boolean; readonly byTask: string | null },
  record: WorkspaceRecord,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { layout } = context;
  const setAll = async (): Promise<SetUp> => {
    const made = wanted.byRepository ? await setUp(context, place, signal) : nothingMade;
    if (wanted.byTask !== null) await runTaskSetup(context.scripts, place, wanted.byTask, signal);
    return made;
  };
  const made = await setAll().catch(async (error: unknown) => {
    if (!isFault(error, 'setup_failed')) throw error;
    await releasePorts(layout, record.port);
    await discardWorkspace(context, attemptId);
    throw error;
  });
  await setStamp(recordPlace(layout, attemptId).readyStamp);
  const setupEqual = await equalTo(place.workspace, made);
  await writeRecord(layout, attemptId, { ...record, setup: made.names, setupEqual });
  return made.notes;
}

const nothingMade: SetUp = { names: [], notes: [], origin: null };

async function equalTo(
  workspace: string,
  { origin, names }: SetUp,
): Promise<NonNullable<WorkspaceRecord['setupEqual']> | null> {
  if (origin === null) return null;
  return { origin, inodes: await Promise.all(names.map((name) => inodeOf(join(workspace, name)))) };
}

/**
 * Dated ahead by a second at most. git reads every file that is as young as the index, since a change in the same second does
 * not show; here the stamp shows such a change, and without the later date all files of a fast checkout would be read.
 */
async function keepIndex(from: string, to: string): Promise<void> {
  await copyIndex(from, to);
  const next = Math.floor(Date.now() / 1000) + 1;
  await utimes(to, next, next);
}

/** The attempt continues in its workspace: from now on its work is not saved. */
async function takeBack(layout: Layout, project: string, attemptId: string, signal: AbortSignal): Promise<void> {
  const record = await readRecord(layout, attemptId);
  if (record === null || record.saved === null) return;
  await withdraw(layout, project, attemptId);
  await writeRecord(layout, attemptId, { ...record, port: await claimPorts(layout, attemptId, signal), saved: null });
}
