// The user's branch to land in: whether it exists, where it is, and which checkout has it. Reads only.

import { join } from 'node:path';
import { isFault } from '../../std/fault.ts';
import { readIfThere } from '../../std/files.ts';
import { nearest } from '../../std/nearest.ts';
import { flawOfGlob, globFits, parseGlob } from '../../std/path-glob.ts';
import { git, resolveCommit } from '../commands/git.ts';
import { gitAsUser, type User } from '../commands/git-as-user.ts';
import { inspectRepository } from '../project/user-repository.ts';

export interface Target {
  /** The top of the user's checkout. */
  readonly root: string;
  readonly branch: string;
  readonly ref: string;
  readonly tip: string;
  /** The checkout that has the branch, or in which it is being rebased. */
  readonly checkout: Checkout | null;
}

export interface Checkout {
  readonly path: string;
  /** Its own git directory: of a linked worktree another than the repository's. */
  readonly gitDir: string;
}

/** The branch, or why nothing can land in it. */
export async function findTarget(
  repo: string,
  name: string,
  user: User,
  signal: AbortSignal,
): Promise<Target | string> {
  let root: string;
  try {
    ({ root } = await inspectRepository(repo, signal));
  } catch (error) {
    if (isFault(error, 'not_a_repository')) return error.message;
    throw error;
  }
  const at = { cwd: root, signal };
  const branch = name.replace(/^refs\/heads\//, '');
  const ref = `refs/heads/${branch}`;
  const named = await git(['check-ref-format', ref], { ...at, accept: [0, 1] });
  if (named.status !== 0 || branch.startsWith('-')) return `${JSON.stringify(name)} cannot be the name of a branch`;
  const tip = await resolveCommit(ref, { cwd: root }, signal);
  if (tip === null) return missing(branch, root, await branchesOf(root, signal));
  const alias = await git(['symbolic-ref', '--quiet', ref], { ...at, accept: [0, 1] });
  if (alias.status === 0) {
    return `branch ${branch} of ${root} is another name for ${alias.stdout.trim()}: name that one`;
  }
  const glob = await protectedBy(root, branch, user, signal);
  if (glob !== null) {
    return `branch ${branch} of ${root} is protected: its git setting signalbox.protect has "${glob}"`;
  }
  return { root, branch, ref, tip, checkout: await checkoutOf(root, ref, signal) };
}

function missing(branch: string, root: string, names: readonly string[]): string {
  const near = nearest(branch, names);
  const meant = near.length > 0 ? ` (did you mean ${near.join(' or ')}?)` : '';
  return `${root} has no branch ${branch}${meant}: "git branch ${branch}" there makes one`;
}

async function branchesOf(root: string, signal: AbortSignal): Promise<string[]> {
  const args = ['for-each-ref', '--format=%(refname:lstrip=2)', 'refs/heads'];
  return (await git(args, { cwd: root, signal })).stdout.split('\n').filter((name) => name !== '');
}

async function protectedBy(root: string, branch: string, user: User, signal: AbortSignal): Promise<string | null> {
  const args = ['config', '--get-all', 'signalbox.protect'];
  // Also from the user's global configuration.
  const { stdout } = await gitAsUser(args, { cwd: root, user, signal });
  const globs = stdout.split('\n').flatMap((line) => line.split(/\s+/).filter((glob) => glob !== ''));
  return globs.find((glob) => glob === branch || fits(glob, branch)) ?? null;
}

/** A glob that cannot be parsed protects only a branch of exactly that name. */
function fits(glob: string, branch: string): boolean {
  return flawOfGlob(glob) === null && globFits(parseGlob(glob), branch);
}

async function checkoutOf(root: string, ref: string, signal: AbortSignal): Promise<Checkout | null> {
  const { stdout } = await git(['worktree', 'list', '--porcelain', '-z'], { cwd: root, signal });
  for (const entry of stdout.split('\0\0')) {
    const lines = entry.split('\0');
    const path = lines.find((line) => line.startsWith('worktree '))?.slice('worktree '.length);
    if (path === undefined || lines.includes('bare') || lines.some((line) => line.startsWith('prunable'))) continue;
    const isBranch = lines.includes(`branch ${ref}`);
    const detached = lines.includes('detached');
    if (!isBranch && !detached) continue;
    const args = ['rev-parse', '--absolute-git-dir'];
    const found = await git(args, { cwd: path, signal, accept: [0, 128] });
    const gitDir = found.stdout.replace(/\n$/, '');
    if (isBranch || (await isRebased(gitDir, ref))) return { path, gitDir };
  }
  return null;
}

/** While a branch is rebased, its checkout is detached. */
async function isRebased(gitDir: string, ref: string): Promise<boolean> {
  for (const folder of ['rebase-merge', 'rebase-apply']) {
    const name = await readIfThere(join(gitDir, folder, 'head-name'));
    if (name?.trim() === ref) return true;
  }
  return false;
}
