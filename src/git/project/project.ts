// The bare repository that Signalbox keeps of a user's repository: made with hard links, never collected, so that
// nothing done to the user's repository can break an agent. The user's repository is only read.

import { createHash } from 'node:crypto';
import { lstat, open, realpath, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { WorkspaceOrder } from '../../ports/workspace-port.ts';
import { Fault } from '../../std/fault.ts';
import { diskFault, errnoOf, syncDirectory } from '../../std/files.ts';
import type { TakeTurns } from '../../std/keyed-queue.ts';
import { git, isCommitId, resolveCommit } from '../commands/git.ts';
import type { Layout } from '../commands/layout.ts';
import { createMemory } from '../commands/memoize-by-commit.ts';
import { makeGitDir } from '../commands/own-git-dir.ts';
import { withScratch } from '../commands/scratch-directories.ts';
import { copyShallow } from '../workspace/checkout.ts';
import { countMissing, isPartial, linkObjects, requireWhole } from './partial-clones.ts';
import { inspectRepository, type Repository } from './user-repository.ts';

export interface Project {
  readonly bare: string;
  /** The top of the user's checkout. */
  readonly root: string;
  /** The commit that the order's base names, present in the bare repository. */
  readonly base: string;
}

/** Where the base is a full id, the user's repository is examined only once: our copy keeps it. */
export async function openProject(
  layout: Layout,
  repo: WorkspaceOrder['repo'],
  takeTurns: TakeTurns,
  signal: AbortSignal,
): Promise<Project> {
  const bring = (): Promise<Project> => bringProject(layout, repo, takeTurns, signal);
  if (!isCommitId(repo.base)) return bring();
  const known = await projects([layout.projects, repo.path, repo.base], bring);
  return (await exists(known.bare)) ? known : bring();
}

const projects = createMemory<Project>();

async function bringProject(
  layout: Layout,
  repo: WorkspaceOrder['repo'],
  takeTurns: TakeTurns,
  signal: AbortSignal,
): Promise<Project> {
  const source = await inspectRepository(repo.path, signal);
  // Worktrees of one repository are one project.
  const name = createHash('sha256')
    .update(await realpath(source.gitDir))
    .digest('hex')
    .slice(0, 32);
  const bare = join(layout.projects, `${name}.git`);
  return takeTurns(bare, async () => {
    signal.throwIfAborted();
    if (!(await exists(bare))) await makeBare(layout, source, bare, signal);
    return { bare, root: source.root, base: await bringCommit(bare, source, repo.base, signal) };
  });
}

async function makeBare(layout: Layout, source: Repository, bare: string, signal: AbortSignal): Promise<void> {
  await withScratch(layout.scratch, async (scratch) => {
    const made = join(scratch, 'project.git');
    await ((await isPartial({ cwd: source.root }, signal)) ? copyPartial : cloneBare)(source, made, signal);
    try {
      // A branch that never exists: clones start with no branch of the user's.
      await writeFile(join(made, 'HEAD'), 'ref: refs/heads/signalbox/none\n');
      for (const name of ['HEAD', 'config', 'packed-refs']) await syncFile(join(made, name));
      await rename(made, bare);
      await syncDirectory(layout.projects);
    } catch (error) {
      throw diskFault(error, bare);
    }
  });
}

async function cloneBare({ root }: Repository, made: string, signal: AbortSignal): Promise<void> {
  // Dissociated: objects that the user's repository borrows itself are copied. Hard links where they are possible;
  // --local would demand them, and refuse a repository on another file system.
  const args = ['clone', '--quiet', '--bare', '--dissociate', '--template=', '--config', 'gc.auto=0'];
  await git([...args, '--', root, made], { signal });
}

async function copyPartial({ root, head, gitDir }: Repository, made: string, signal: AbortSignal): Promise<void> {
  await makeGitDir({ path: made, like: head, config: '[gc]\n\tauto = 0\n' }, signal);
  await linkObjects(join(gitDir, 'objects'), join(made, 'objects'));
  await copyShallow(gitDir, made);
  const refs = ['for-each-ref', '--format=%(objectname) %(refname)', 'refs/heads', 'refs/tags'];
  await writeFile(join(made, 'packed-refs'), (await git(refs, { cwd: root, signal })).stdout);
}

/** A full id is looked up in our copy first; any other name means what it means to the user now. */
async function bringCommit(
  bare: string,
  { root, gitDir }: Repository,
  revision: string,
  signal: AbortSignal,
): Promise<string> {
  const ours = { env: { GIT_DIR: bare } };
  const present = isCommitId(revision) ? await resolveCommit(revision, ours, signal) : null;
  const partial = await isPartial({ cwd: root }, signal);
  if (present !== null && !(partial && (await countMissing(ours, present, signal)) > 0)) return present;
  const commit = await resolveCommit(revision, { cwd: root }, signal);
  if (commit === null) throw new Fault('git_failed', `${root} has no commit ${JSON.stringify(revision)}`);
  if (partial) {
    await requireWhole(root, commit, signal);
    await linkObjects(join(gitDir, 'objects'), join(bare, 'objects'));
  } else if ((await resolveCommit(commit, ours, signal)) === null) {
    await git([...fetchOnly, root, commit], { ...ours, config: { 'protocol.version': '2' }, signal });
  }
  return commit;
}

/** Brings objects and changes nothing else. Version 2 of the protocol gives a commit that no ref leads to. */
export const fetchOnly: readonly string[] = [
  'fetch',
  '--quiet',
  '--no-tags',
  '--no-auto-gc',
  '--no-write-fetch-head',
  '--no-recurse-submodules',
  // A shallow history stays shallow here.
  '--update-shallow',
  '--end-of-options',
];

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    (error: unknown) => {
      if (errnoOf(error) === 'ENOENT') return false;
      throw diskFault(error, path);
    },
  );
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r').catch((error: unknown) => {
    if (errnoOf(error) === 'ENOENT') return null;
    throw error;
  });
  try {
    await file?.sync();
  } finally {
    await file?.close();
  }
}
