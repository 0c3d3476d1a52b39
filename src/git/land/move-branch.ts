// Moves branches of the user's repository by compare-and-swap, with the user's own hooks, and changes nothing else of
// it.

import { Fault } from '../../std/fault.ts';
import { lastLine } from '../commands/failure-line.ts';
import { durable, git, isCommitId, resolveCommit } from '../commands/git.ts';
import { gitAsUser, type User } from '../commands/git-as-user.ts';

export interface Place {
  /** The top of the user's checkout. */
  readonly root: string;
  /** The repository of ours that has the commit, at this ref. */
  readonly bare: string;
  readonly keptAt: string;
  readonly user: User;
}

export type Unmoved =
  /** Another program has moved it. */
  | { readonly kind: 'elsewhere'; readonly to: string | null }
  /** A hook of the user refused, with this output. */
  | { readonly kind: 'forbidden'; readonly words: string };

/** Brings the kept commit into the user's repository, where no ref leads to it yet. */
export async function bringObjects({ root, bare, keptAt }: Place, signal: AbortSignal): Promise<void> {
  await git([...quietly, bare, keptAt], { cwd: root, config: { ...durable, 'protocol.version': '2' }, signal });
}

/** Moves the branch to an object that is there. null: it is moved. */
export async function swapBranch(
  { root, user }: Place,
  { ref, from, to, why }: { ref: string; from: string | null; to: string; why: string },
  signal: AbortSignal,
): Promise<Unmoved | null> {
  const old = from ?? '0'.repeat(to.length);
  const settings = Object.entries(durable).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
  const args = [...settings, 'update-ref', '--no-deref', '--create-reflog', '-m', why, ref, to, old];
  const { status, stderr } = await gitAsUser(args, { cwd: root, user, signal });
  if (status === 0) return null;
  const now = await resolveCommit(ref, { cwd: root }, signal);
  // git may have moved it before it was stopped.
  if (now === to) return null;
  if (now !== from) return { kind: 'elsewhere', to: now };
  if (/aborted by hook/.test(stderr)) return { kind: 'forbidden', words: wordsOf(stderr) };
  throw new Fault('git_failed', `git update-ref failed in ${root}: ${lastLine(stderr) || `exit ${status}`}`);
}

/** The hook's output before git's own message. */
function wordsOf(stderr: string): string {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '' && !/^(fatal|error): .*hook/.test(line));
  return lines.join(' ').trim().slice(0, wordsMax) || 'its hook "reference-transaction" says no';
}

const wordsMax = 1_000;

/** Copies objects and changes nothing else. */
const quietly = [
  'fetch',
  '--quiet',
  '--no-tags',
  '--no-write-fetch-head',
  '--no-recurse-submodules',
  '--no-auto-maintenance',
  '--no-prune',
];

/**
 * Puts a commit on a new branch of this name, or of a similar one where that has other work. Returns its name, or the
 * output of a hook that refused.
 */
export async function putAside(
  place: Place,
  { name, commit, why }: { name: string; commit: string; why: string },
  signal: AbortSignal,
): Promise<{ readonly branch: string } | { readonly forbidden: string }> {
  const { root } = place;
  const usual = await fittingName(root, name, signal);
  await bringObjects(place, signal);
  for (let i = 1; i <= namesMax; i++) {
    const branch = i === 1 ? usual : `${usual}-${i}`;
    const ref = `refs/heads/${branch}`;
    const from = await resolveCommit(ref, { cwd: root }, signal);
    if (from === commit) return { branch };
    if (from !== null && !(await isPartOf(place.bare, from, commit, signal))) continue;
    if (from !== null && (await isCheckedOut(root, ref, signal))) continue;
    const unmoved = await swapBranch(place, { ref, from, to: commit, why }, signal);
    if (unmoved === null) return { branch };
    if (unmoved.kind === 'forbidden') return { forbidden: unmoved.words };
  }
  throw new Fault('git_failed', `${root} has ${namesMax} branches like ${usual}, with other work: delete some of them`);
}

const namesMax = 100;

/** A run's branch must not be a prefix of its tasks' branches: git cannot have branch `a` beside `a/b`. */
async function fittingName(root: string, name: string, signal: AbortSignal): Promise<string> {
  const branch = `signalbox-run/${name}`;
  const { status } = await git(['check-ref-format', `refs/heads/${branch}`], { cwd: root, signal, accept: [0, 1] });
  if (status === 0) return branch;
  return `signalbox-run/${name.replaceAll(/[^A-Za-z0-9]+/g, '-').replaceAll(/^-|-$/g, '') || 'run'}`;
}

export async function isCheckedOut(root: string, ref: string, signal: AbortSignal): Promise<boolean> {
  const { stdout } = await git(['worktree', 'list', '--porcelain', '-z'], { cwd: root, signal });
  return stdout.split('\0').includes(`branch ${ref}`);
}

/** Whether a commit is in the history of another. A commit that we do not have is in none of ours. */
export async function isPartOf(bare: string, commit: string, of: string, signal: AbortSignal): Promise<boolean> {
  if (!isCommitId(commit)) return false;
  const args = ['merge-base', '--is-ancestor', commit, of];
  return (await git(args, { env: { GIT_DIR: bare }, signal, accept: [0, 1, 128] })).status === 0;
}
