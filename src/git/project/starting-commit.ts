// The commit that a run starts from, decided once, when it is submitted: what is checked out, a named branch, tag or
// commit, or the user's uncommitted state. The run stays with that commit, whatever the name means later.

import { Fault } from '../../std/fault.ts';
import type { TakeTurns } from '../../std/keyed-queue.ts';
import type { Identity } from '../commands/create-commit.ts';
import { makeCommit } from '../commands/create-commit.ts';
import { git, resolveCommit } from '../commands/git.ts';
import type { Layout } from '../commands/layout.ts';
import { readRef, writeRef } from '../commands/refs.ts';
import { withScratch } from '../commands/scratch-directories.ts';
import { isPartial, requireWhole } from './partial-clones.ts';
import { openProject } from './project.ts';
import { inspectRepository, type Repository } from './user-repository.ts';
import { captureUserState } from './user-state.ts';

export interface BaseContext {
  readonly layout: Layout;
  readonly identity: Identity;
  readonly takeTurns: TakeTurns;
  readonly userHome: string | null;
}

export interface DecidedBase {
  /** The top of the user's checkout. */
  readonly path: string;
  readonly base: string;
  /** The branch that it was taken from; null: a tag, a commit or a detached HEAD. */
  readonly branch: string | null;
  readonly notes: readonly string[];
}

/** The name that means the user's uncommitted state. A branch of that name is `refs/heads/worktree`. */
export const worktreeBase = 'worktree';

export async function decideBase(
  context: BaseContext,
  { path, base }: { readonly path: string; readonly base: string | null },
  signal: AbortSignal,
): Promise<DecidedBase> {
  const source = await inspectRepository(path, signal);
  const commit = await namedCommit(source, base, signal);
  if (await isPartial({ cwd: source.root }, signal)) await requireWhole(source.root, commit, signal);
  const branch = await branchOf(source, base, signal);
  if (base === worktreeBase) return { ...(await commitState(context, source, signal)), branch };
  return { path: source.root, base: commit, branch, notes: [] };
}

async function branchOf({ root }: Repository, name: string | null, signal: AbortSignal): Promise<string | null> {
  if (name !== null && name !== worktreeBase) {
    return (await resolveCommit(`refs/heads/${name}`, { cwd: root }, signal)) === null ? null : name;
  }
  const head = await git(['symbolic-ref', '--quiet', 'HEAD'], { cwd: root, signal, accept: [0, 1] });
  const [, branch] = /^refs\/heads\/(.+)\n$/.exec(head.stdout) ?? [];
  return branch ?? null;
}

async function namedCommit({ root, head }: Repository, name: string | null, signal: AbortSignal): Promise<string> {
  if (name === null || name === worktreeBase) return head;
  const commit = await resolveCommit(name, { cwd: root }, signal);
  if (commit !== null) return commit;
  throw new Fault(
    'bad_request',
    `${root} has no branch, tag or commit ${JSON.stringify(name)}: "git branch --all" there lists its branches`,
  );
}

async function commitState(
  context: BaseContext,
  source: Repository,
  signal: AbortSignal,
): Promise<Omit<DecidedBase, 'branch'>> {
  const { layout, identity, takeTurns, userHome } = context;
  const { root, head } = source;
  const { bare } = await openProject(layout, { path: root, base: head }, takeTurns, signal);
  return withScratch(layout.scratch, async (scratch) => {
    const { tree, notes } = await captureUserState({ source, bare, scratch, userHome }, signal);
    // Dated like its parent: the same state always gives the same commit.
    const env = { GIT_DIR: bare };
    const { stdout } = await git(['show', '-s', '--format=%ct', head], { env, signal });
    const message = 'Uncommitted state of the checkout\n';
    const base = await makeCommit({ bare, parent: head, tree, at: Number(stdout.trim()), message }, identity, signal);
    const ref = `refs/signalbox-base/state/${base}`;
    await writeRef(bare, ref, { from: await readRef(bare, ref, signal), to: base }, signal);
    return { path: root, base, notes };
  });
}
