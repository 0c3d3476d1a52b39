// `signalbox take`: fetches saved work of a task or run into a branch of the user's repository. Never touches HEAD, the
// index or files.

import { Fault } from '../../../std/fault.ts';
import { plainLine, shownJson } from '../../../std/plain-text.ts';
import { shellQuote } from '../../../std/shell-quote.ts';
import type { RunView, TaskView } from '../../../wire/views.ts';
import { Declined } from '../../client/client.ts';
import { type Context, exits, type Verb } from '../../client/context.ts';
import { findSavedWork, type SavedWork } from '../../client/saved-work.ts';
import { type GitEnd, userGit } from '../../client/user-git.ts';
import { taskWords } from '../../text/summary.ts';

export interface TakeOptions {
  readonly branch?: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

export const take: Verb<TakeOptions> = async (context, [word], options) => {
  const { place, terminal } = context;
  const work = await findSavedWork(context, word);
  const { run, task } = work;
  const repo = run.repo.path;
  const inRepo = (...args: string[]): Promise<GitEnd> => userGit(place, ['-C', repo, ...args]);
  await requireRepository(inRepo, work);
  const branch = await branchName(inRepo, options.branch ?? usualBranch(work));
  await requireNotCheckedOut(inRepo, branch);
  const before = await commitOf(inRepo, branch);
  if (before !== null && options.force !== true) await requireForward(context, work, branch, before);
  if (before !== work.commit) {
    const spec = `${options.force === true ? '+' : ''}${work.ref}:refs/heads/${branch}`;
    const { status, stderr } = await inRepo('fetch', ...quietly, work.gitDir, spec);
    if (status !== 0) throw new Fault('git_failed', `git could not bring the work into ${repo}: ${plainLine(stderr)}`);
  }
  // More work of a run may have been integrated meanwhile.
  const commit = (await commitOf(inRepo, branch)) ?? work.commit;
  if (options.json === true) {
    await terminal.print(`${shownJson({ branch, commit, repo, before, base: work.base })}\n`);
    return exits.ok;
  }
  const same = before === commit ? 'has it already' : `is at ${commit.slice(0, 7)}`;
  await terminal.print(`branch ${branch} of ${repo} ${same}; your checkout was not touched\n`);
  const flaw = task === null ? flawOfRun(run) : flawOfTask(task);
  if (flaw !== null) terminal.note(flaw);
  if (commit === work.base) terminal.note('It changed nothing.');
  terminal.note(`see it:   git diff HEAD...${shellQuote(branch)}\nmerge it: git merge ${shellQuote(branch)}`);
  return exits.ok;
};

/** The branch of a run is not a prefix of its tasks' branches: git has no branch `a` beside `a/b`. */
function usualBranch({ run, task }: SavedWork): string {
  return task === null ? `signalbox-run/${run.name}` : `signalbox/${run.name}/${task.name}`;
}

function flawOfTask(task: TaskView): string | null {
  return task.outcome?.kind === 'succeeded' ? null : `The task did not succeed: ${taskWords(task)}`;
}

function flawOfRun({ outcome, state }: RunView): string | null {
  if (outcome === 'succeeded') return null;
  return `The run did not succeed (${outcome ?? state}): these are the tasks integrated so far.`;
}

/** Changes one branch and nothing else: no tags, no FETCH_HEAD, no submodules, no maintenance. */
const quietly = [
  '--quiet',
  '--no-tags',
  '--no-write-fetch-head',
  '--no-recurse-submodules',
  '--no-auto-maintenance',
  '--no-prune',
];

type InRepo = (...args: string[]) => Promise<GitEnd>;

async function requireRepository(inRepo: InRepo, { run, gitDir, ref }: SavedWork): Promise<void> {
  const { status } = await inRepo('rev-parse', '--git-dir');
  if (status === 0) return;
  const byHand = `git fetch ${shellQuote(gitDir)} ${shellQuote(`${ref}:refs/heads/taken`)}`;
  throw new Fault(
    'not_a_repository',
    `there is no git repository at ${run.repo.path} any more. Where it is now, run: ${byHand}`,
  );
}

async function branchName(inRepo: InRepo, name: string): Promise<string> {
  const { status } = await inRepo('check-ref-format', `refs/heads/${name}`);
  if (status === 0 && !name.startsWith('-')) return name;
  throw new Fault('bad_request', `"${name}" is not a valid branch name: give another with --branch`);
}

async function requireNotCheckedOut(inRepo: InRepo, branch: string): Promise<void> {
  const { stdout } = await inRepo('worktree', 'list', '--porcelain');
  let place = '';
  for (const line of stdout.split('\n')) {
    if (line.startsWith('worktree ')) place = line.slice('worktree '.length);
    if (line !== `branch refs/heads/${branch}`) continue;
    throw new Declined(`branch ${branch} is checked out at ${place}, so it is not moved: give another with --branch`);
  }
}

async function commitOf(inRepo: InRepo, branch: string): Promise<string | null> {
  const { status, stdout } = await inRepo('rev-parse', '--verify', '--quiet', `refs/heads/${branch}^{commit}`);
  return status === 0 ? stdout.trim() : null;
}

/** The bare repository holds everything the work is built on; a commit it does not have is not part of the work. */
async function requireForward(context: Context, work: SavedWork, branch: string, before: string): Promise<void> {
  const args = ['--git-dir', work.gitDir, 'merge-base', '--is-ancestor', before, work.commit];
  if ((await userGit(context.place, args)).status === 0) return;
  throw new Declined(
    `branch ${branch} is at ${before.slice(0, 7)}, which is not part of this work: give another name with --branch, ` +
      'or overwrite the branch with --force',
  );
}
