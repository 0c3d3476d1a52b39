// Examines a user's repository. Nothing is ever written to it, here or elsewhere.

import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Fault, isFault } from '../../std/fault.ts';
import { lastLine } from '../commands/failure-line.ts';
import { type GitResult, git, isCommitId } from '../commands/git.ts';

export interface Repository {
  /** The top of its checkout. */
  readonly root: string;
  /** The commit that is checked out. */
  readonly head: string;
  /** The git directory that its worktrees share. */
  readonly gitDir: string;
}

/** The repository that contains `path`; if it cannot be used, a Fault that says what to do. */
export async function inspectRepository(path: string, signal: AbortSignal): Promise<Repository> {
  const cwd = resolve(path);
  const found = await stat(cwd).catch(() => null);
  if (!found?.isDirectory()) throw unfit(`there is no directory ${cwd}: give the path of a git repository`);
  const { stdout, stderr, status } = await ask(cwd, signal);
  if (stdout.startsWith('true\n')) {
    throw unfit(`${cwd} is a bare repository: clone it and give the path of the clone`);
  }
  const [, root, gitDir, head] = answers.exec(stdout) ?? [];
  if (root === undefined || gitDir === undefined) throw unfit(sentenceFor(lastLine(stderr), cwd));
  if (status !== 0 || head === undefined || !isCommitId(head)) {
    throw unfit(`${root} has no commits yet: commit something first, so that there is a start`);
  }
  return { root, head, gitDir };
}

/**
 * All questions in one call of git. A path may contain any character but NUL, so a known short answer separates them.
 */
async function ask(cwd: string, signal: AbortSignal): Promise<GitResult> {
  const isBare = '--is-bare-repository';
  const args = ['rev-parse', isBare, '--show-toplevel', isBare, '--path-format=absolute', '--git-common-dir', isBare];
  try {
    return await git([...args, 'HEAD^{commit}'], { cwd, signal, timeoutMs: askTimeoutMs, accept: [0, 128] });
  } catch (cause) {
    if (!isFault(cause, 'git_failed')) throw cause;
    throw unfit(sentenceFor(cause.message, cwd), cause);
  }
}

const answers = /^false\n([\s\S]+?)\nfalse\n([\s\S]+?)\nfalse\n(.*)\n/;
const askTimeoutMs = 30_000;

function sentenceFor(message: string, path: string): string {
  if (/dubious ownership|safe\.directory/.test(message)) {
    return `the repository ${path} belongs to another user: run Signalbox as its owner`;
  }
  if (/must be run in a work tree/.test(message))
    return `${path} is inside a .git directory: give the path of its checkout`;
  if (/not a git repository/.test(message)) {
    return `${path} is not in a git repository: run "git init" there and commit, or give another path`;
  }
  return `${path} cannot be used as a git repository: ${message}`;
}

function unfit(sentence: string, cause?: unknown): Fault {
  return new Fault('not_a_repository', sentence, { cause });
}
