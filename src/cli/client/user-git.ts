// Runs git as the user would, with their program and configuration. Only in the user's own repository and in Signalbox's
// bare ones; never in a directory that an agent can write.

import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { Fault } from '../../std/fault.ts';
import { errnoOf } from '../../std/files.ts';
import type { Place } from './context.ts';

export interface GitEnd {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export async function userGit(place: Place, args: readonly string[]): Promise<GitEnd> {
  const child = startGit(place, args);
  const out: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  const { status, stderr } = await gitEnd(child);
  return { status, stdout: Buffer.concat(out).toString('utf8'), stderr };
}

/** The top of the checkout that contains a directory; null if there is none. */
export async function checkoutTop(place: Place, directory: string): Promise<string | null> {
  const { status, stdout } = await userGit(place, ['-C', directory, 'rev-parse', '--show-toplevel']);
  const top = stdout.replace(/\n$/, '');
  return status === 0 && top !== '' ? top : null;
}

export type GitChild = ChildProcessByStdio<null, Readable, Readable>;

export function startGit(place: Place, args: readonly string[]): GitChild {
  return spawn('git', args, { env: gitEnvironment(place), stdio: ['ignore', 'pipe', 'pipe'] });
}

export async function gitEnd(child: GitChild): Promise<{ status: number | null; stderr: string }> {
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-stderrKept);
  });
  try {
    const [status] = (await once(child, 'close')) as [number | null];
    return { status, stderr: stderr.trim() };
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
    throw new Fault('git_failed', 'git is not installed or not on your PATH', { cause: error });
  }
}

const stderrKept = 4_096;

/** Inside a hook or alias the environment may name another repository, so those variables are removed. */
export function gitEnvironment({ userEnv }: Place): Record<string, string | undefined> {
  const kept = Object.entries(userEnv).filter(([name]) => !localNames.has(name));
  // git's messages are parsed, so fix the language.
  return { ...Object.fromEntries(kept), LC_ALL: 'C.UTF-8', LANGUAGE: 'C', GIT_TERMINAL_PROMPT: '0' };
}

/** The list of `git rev-parse --local-env-vars`, without the user's own settings from the command line. */
const localNames = new Set([
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_CONFIG',
  'GIT_COMMON_DIR',
  'GIT_DIR',
  'GIT_GRAFT_FILE',
  'GIT_IMPLICIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_INTERNAL_SUPER_PREFIX',
  'GIT_NAMESPACE',
  'GIT_NO_REPLACE_OBJECTS',
  'GIT_OBJECT_DIRECTORY',
  'GIT_PREFIX',
  'GIT_REPLACE_REF_BASE',
  'GIT_SHALLOW_FILE',
  'GIT_WORK_TREE',
]);
