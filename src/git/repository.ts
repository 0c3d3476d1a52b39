// Looks at a user's repository. Reads only, here and everywhere: nothing is ever written to it.

import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Fault, isFault } from '../std/fault.ts';
import { git, resolveCommit } from './git.ts';

export interface Repository {
  /** The top of its checkout. */
  readonly root: string;
  /** The commit that is checked out. */
  readonly head: string;
  /** The git directory that its worktrees share. */
  readonly gitDir: string;
}

/** The repository that `path` lies in; a Fault that says what to do where there is none to work on. */
export async function inspectRepository(path: string, signal: AbortSignal): Promise<Repository> {
  const cwd = resolve(path);
  const found = await stat(cwd).catch(() => null);
  if (!found?.isDirectory()) throw unfit(`there is no directory ${cwd}: give the path of a git repository`);
  const bare = await ask(['rev-parse', '--is-bare-repository'], cwd, signal);
  if (bare === 'true') throw unfit(`${cwd} is a bare repository: clone it and give the path of the clone`);
  const root = await ask(['rev-parse', '--show-toplevel'], cwd, signal);
  const head = await resolveCommit('HEAD', { cwd: root }, signal);
  if (head === null) throw unfit(`${root} has no commits yet: commit something first, so that there is a start`);
  const gitDir = await ask(['rev-parse', '--path-format=absolute', '--git-common-dir'], root, signal);
  return { root, head, gitDir };
}

async function ask(args: readonly string[], cwd: string, signal: AbortSignal): Promise<string> {
  try {
    return (await git(args, { cwd, signal, timeoutMs: askTimeoutMs })).stdout.replace(/\n$/, '');
  } catch (cause) {
    if (!isFault(cause, 'git_failed')) throw cause;
    throw unfit(sentenceFor(cause.message, cwd), cause);
  }
}

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
