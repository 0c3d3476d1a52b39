// Workspaces: a checkout for each attempt, whose work is saved however the attempt ended. Each call may be repeated
// after a crash at any point and has its effect once. The user's repository is never written to, and git never runs in
// a directory whose configuration an agent can write.

import { join } from 'node:path';
import type { PreparedWorkspace, WorkspaceOrder, WorkspacePort } from '../../ports/workspace-port.ts';
import { trustedPath } from '../../process/confine.ts';
import { createTurns } from '../../std/keyed-queue.ts';
import { type Identity, usualIdentity } from '../commands/create-commit.ts';
import { type AttemptNames, namesOf, openLayout, projectOf } from '../commands/layout.ts';
import { readRef } from '../commands/refs.ts';
import { removeTree, sweepScratch } from '../commands/scratch-directories.ts';
import { readInstructions } from '../project/instructions.ts';
import { openProject } from '../project/project.ts';
import { type DecidedBase, decideBase } from '../project/starting-commit.ts';
import { type SavedWorkspace, type SaveLimits, saveWorkspace, usualSaveLimits } from '../save/save-workspace.ts';
import type { ScriptMeans } from '../setup/repository-script.ts';
import { abandonWorkspace } from './discard-workspace.ts';
import { inspectSpace, type Reclaimed, reclaim, type SpaceItem, type Wanted } from './disk-space.ts';
import { unknownCommits } from './known-commits.ts';
import { createUsedPorts, portEnvironment } from './port-blocks.ts';
import { prepareWorkspace } from './prepare-workspace.ts';
import { inspectRun, type RunLeft, type RunWork, removeRun } from './remove-run.ts';
import { hold, letGo, sweepHolds } from './workspace-holds.ts';
import { readRecord } from './workspace-record.ts';

export interface WorkspacesOptions {
  /** A directory of our own, used by one daemon at a time. */
  readonly root: string;
  /** The author of saved work, and the identity of agents' commits. */
  readonly identity?: Identity;
  /** Where the user's own ignore file is looked for; null: nowhere. */
  readonly userHome?: string | null;
  readonly limits?: Partial<SaveLimits>;
  /**
   * Whether ended workspaces are used again. Only where no process of an agent can outlive its attempt: it would see
   * the next agent's files.
   */
  readonly recycle?: boolean;
  /** How a repository's setup and teardown are run. */
  readonly scripts?: ScriptMeans;
}

export interface Workspaces extends WorkspacePort {
  /** The commit that a name means now; null is what is checked out, `worktree` the user's uncommitted state. */
  decideBase(repo: { readonly path: string; readonly base: string | null }, signal: AbortSignal): Promise<DecidedBase>;
  prepare(order: WorkspaceOrder, signal: AbortSignal): Promise<Required<PreparedWorkspace>>;
  save(order: WorkspaceOrder, signal: AbortSignal): Promise<SavedWorkspace>;
  /** The first port of its block on which something listens, by attempt. */
  usedPorts(): Promise<ReadonlyMap<string, number>>;
  /** Keeps a workspace after its attempt has ended, until it is let go by the same name. */
  hold(attemptId: string, holder: string): Promise<void>;
  letGo(attemptId: string, holder: string): Promise<void>;
  /** What is on the disk, and why. */
  inspectSpace(signal: AbortSignal): Promise<readonly SpaceItem[]>;
  /** Removes workspaces whose work is saved and that are not held, and results of setups. */
  reclaim(wanted: Wanted, signal: AbortSignal): Promise<Reclaimed>;
  /** What keeps a run from being removed. */
  inspectRun(run: RunWork, signal: AbortSignal): Promise<RunLeft>;
  /** Removes workspaces and refs of a run, except the refs of attempts to keep. */
  removeRun(run: RunWork, keep: ReadonlySet<string>, signal: AbortSignal): Promise<void>;
  /** Resolves when nothing is left to be removed. */
  idle(): Promise<void>;
}

/** Removes what a crash left, so `root` must have no other user. */
export async function openWorkspaces(options: WorkspacesOptions): Promise<Workspaces> {
  const layout = await openLayout(options.root);
  const { userHome = null, recycle = false } = options;
  const identity = options.identity ?? usualIdentity;
  const limits = { ...usualSaveLimits, ...options.limits };
  const takeTurns = createTurns();
  let removal: Promise<void> = Promise.resolve();
  const removeLater = (path: string): void => {
    removal = removal.then(() => removeTree(path));
  };
  await sweepScratch(layout.scratch);
  await sweepHolds(layout);
  const scripts = options.scripts ?? { path: trustedPath, confine: null };
  const unkept = new Set<string>();
  const context = { layout, identity, takeTurns, userHome, recycle, limits, scripts, unkept, removeLater };
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
  return {
    decideBase: (repo, signal) => decideBase(context, repo, signal),
    prepare: async (order, signal) => inTurn(order, signal, (names) => prepareWorkspace(context, order, names, signal)),
    abandon: async (order) =>
      takeTurns(namesOf(layout, order).workspace, () => abandonWorkspace(context, order.attemptId)),
    save: async (order, signal) => inTurn(order, signal, (names) => saveWorkspace(context, order, names, signal)),
    instructions: async (order, signal) => {
      const { baseRef } = namesOf(layout, order);
      const known = await projectOf(layout, order.attemptId);
      const base = known === null ? null : await readRef(known, baseRef, signal);
      if (known !== null && base !== null) return readInstructions(known, base, signal);
      const project = await openProject(layout, order.repo, takeTurns, signal);
      return readInstructions(project.bare, project.base, signal);
    },
    environment: async (attemptId) => portEnvironment((await readRecord(layout, attemptId))?.port ?? null),
    usedPorts: createUsedPorts(layout),
    hold: (attemptId, holder) => hold(layout, attemptId, holder),
    letGo: (attemptId, holder) => letGo(layout, attemptId, holder),
    inspectSpace: (signal) => inspectSpace(context, signal),
    reclaim: (wanted, signal) => reclaim(context, wanted, signal),
    inspectRun: (run, signal) => inspectRun(context, run, signal),
    removeRun: (run, keep, signal) => removeRun(context, run, keep, signal),
    idle: () => removal,
    unknownCommits: (attemptId, ids, signal) => unknownCommits(layout, attemptId, ids, signal),
    async borrowed(attemptId) {
      const bare = await projectOf(layout, attemptId);
      return bare === null ? [] : [join(bare, 'objects')];
    },
  };
}
