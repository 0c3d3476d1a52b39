// git in the user's own repository, with the user's settings and hooks, for moving their branches. Their filters write
// the files of a checkout, and their hooks may refuse a move; everything else runs as in git.ts.

import { Fault } from '../../std/fault.ts';
import { lastLine } from './failure-line.ts';
import { runChild } from './run-process.ts';

export interface User {
  readonly home: string;
  /** The user's PATH. */
  readonly path: string;
}

export interface UserGitOptions {
  readonly cwd: string;
  readonly user: User;
  readonly signal: AbortSignal;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string | Uint8Array;
}

export interface UserGitEnd {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Accepts any exit status. Names are read as latin1, which keeps every byte. */
export async function gitAsUser(args: readonly string[], options: UserGitOptions): Promise<UserGitEnd> {
  const { cwd, user, signal, input } = options;
  const out: Buffer[] = [];
  let outBytes = 0;
  let stderr = '';
  const end = await runChild(
    {
      argv: ['git', '-c', 'core.fsmonitor=false', '-c', 'submodule.recurse=false', ...args],
      cwd,
      env: { ...environmentOf(user), ...options.env },
      timeoutMs,
      graceMs,
      ...(input === undefined ? {} : { input }),
      onOutput(chunk, stream) {
        if (stream === 'stderr') stderr = (stderr + chunk.toString('utf8')).slice(-stderrKept);
        else {
          out.push(chunk);
          outBytes += chunk.length;
        }
        return outBytes <= outMaxBytes;
      },
    },
    signal,
  );
  if (end.kind === 'exited') return { status: end.code, stdout: Buffer.concat(out).toString('latin1'), stderr };
  const why = lastLine(stderr) || end.kind;
  throw new Fault(end.kind === 'timedOut' ? 'timed_out' : 'git_failed', `git ${args[0] ?? ''} in ${cwd}: ${why}`);
}

/** The same, but only success counts. */
export async function mustAsUser(args: readonly string[], options: UserGitOptions): Promise<string> {
  const { status, stdout, stderr } = await gitAsUser(args, options);
  if (status === 0) return stdout;
  const full = /No space left on device|Disk quota exceeded/.test(stderr);
  const why = lastLine(stderr) || `exit ${status}`;
  throw new Fault(full ? 'disk_full' : 'git_failed', `git ${args[0] ?? ''} in ${options.cwd}: ${why}`);
}

const timeoutMs = 15 * 60_000;
const graceMs = 2_000;
const stderrKept = 16 * 1024;
const outMaxBytes = 256 * 1024 * 1024;

function environmentOf({ home, path }: User): Record<string, string> {
  return {
    HOME: home,
    PATH: path,
    LC_ALL: 'C',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    // The entry in the branch's reflog.
    GIT_COMMITTER_NAME: 'Signalbox',
    GIT_COMMITTER_EMAIL: 'signalbox@localhost',
  };
}
