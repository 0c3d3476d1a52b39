// The git command as a typed call: never a shell, an environment made from nothing, limited output and time. It uses no
// configuration of the user, no hook, no prompt and no protocol but local files. The caller answers for the directory
// git runs in: never a git directory that an agent can write.

import { trustedPath } from '../../process/confine.ts';
import { Fault } from '../../std/fault.ts';
import { errnoOf } from '../../std/files.ts';
import { lastLine } from './failure-line.ts';
import { runChild } from './run-process.ts';

export interface GitOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly config?: Readonly<Record<string, string>>;
  readonly input?: string | Uint8Array;
  readonly signal: AbortSignal;
  readonly timeoutMs?: number;
  /** Accepted exit statuses; any other is a Fault. */
  readonly accept?: readonly number[];
  readonly stdoutMaxBytes?: number;
  /** latin1 keeps every byte of names that are not UTF-8. */
  readonly encoding?: 'utf8' | 'latin1';
}

export interface GitResult {
  readonly stdout: string;
  /** Its end only. */
  readonly stderr: string;
  readonly status: number;
}

export function git(args: readonly string[], options: GitOptions): Promise<GitResult> {
  return runGit(['git', ...settingArguments(options.config), ...args], `git ${args[0] ?? ''}`, options);
}

export function settingArguments(config: Readonly<Record<string, string>> = {}): string[] {
  const all = { 'core.hooksPath': '/dev/null', 'core.fsmonitor': 'false', ...config };
  return Object.entries(all).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
}

/** A shell command that starts git in the same way. `command`: its name in an error. */
export async function runGit(argv: readonly string[], command: string, options: GitOptions): Promise<GitResult> {
  const { cwd = '/', timeoutMs = gitTimeoutMs, stdoutMaxBytes = stdoutUsualMaxBytes, accept = [0] } = options;
  const out: Buffer[] = [];
  let outBytes = 0;
  let stderr = '';
  const onOutput = (chunk: Buffer, stream: 'stdout' | 'stderr'): boolean => {
    if (stream === 'stderr') {
      stderr = (stderr + chunk.toString('utf8')).slice(-stderrKept);
      return true;
    }
    out.push(chunk);
    outBytes += chunk.length;
    return outBytes <= stdoutMaxBytes;
  };
  const env = { ...gitEnvironment, ...options.env };
  const input = options.input === undefined ? {} : { input: options.input };
  const end = await runChild({ argv, cwd, env, ...input, timeoutMs, graceMs: gitGraceMs, onOutput }, options.signal);
  switch (end.kind) {
    case 'exited': {
      const stdout = Buffer.concat(out).toString(options.encoding ?? 'utf8');
      if (accept.includes(end.code)) return { stdout, stderr, status: end.code };
      throw failure(command, stderr, `exit ${end.code}`);
    }
    case 'signalled':
      throw failure(command, stderr, `ended by ${end.by}`);
    case 'timedOut':
      throw new Fault('timed_out', `${command} did not finish within ${Math.ceil(timeoutMs / 1000)} s`);
    case 'tooMuchOutput':
      throw new Fault('git_failed', `${command} printed more than ${stdoutMaxBytes} bytes`);
    case 'unstartable': {
      const why = errnoOf(end.cause) === 'ENOENT' ? `git is not installed, or there is no ${cwd}` : String(end.cause);
      throw new Fault('git_failed', `cannot start ${command}: ${why}`, { cause: end.cause });
    }
  }
}

/** The commit that a revision names. The name is untrusted: it is never taken for an option. */
export async function resolveCommit(
  revision: string,
  place: Pick<GitOptions, 'cwd' | 'env'>,
  signal: AbortSignal,
): Promise<string | null> {
  if (revision === '' || revision.startsWith('-') || /[\0\n]/.test(revision)) {
    throw new Fault('bad_request', `${JSON.stringify(revision)} is not the name of a commit`);
  }
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`];
  const { stdout, status } = await git(args, { ...place, signal, accept: [0, 1, 128] });
  const commit = stdout.trim();
  return status === 0 && isCommitId(commit) ? commit : null;
}

/** Whether this is a full object id. */
export function isCommitId(text: string): boolean {
  return /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(text);
}

/** What is journalled as done must survive a power loss: by default git leaves loose objects in the system's cache. */
export const durable = { 'core.fsync': 'all', 'core.fsyncMethod': 'batch' } as const;

const gitTimeoutMs = 15 * 60_000;
// git removes its locks and temporary files when it is asked to end.
const gitGraceMs = 2000;
const stdoutUsualMaxBytes = 16 * 1024 * 1024;
const stderrKept = 16 * 1024;

const gitEnvironment = {
  PATH: trustedPath,
  // Not a directory: nothing is found in it, nor can anything be put there.
  HOME: '/dev/null',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_ALLOW_PROTOCOL: 'file',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_NO_LAZY_FETCH: '1',
  LC_ALL: 'C',
} as const;

function failure(command: string, stderr: string, otherwise: string): Fault {
  const line = lastLine(stderr) || otherwise;
  const full = /No space left on device|Disk quota exceeded/.test(stderr);
  return new Fault(full ? 'disk_full' : 'git_failed', `${command}: ${line}`);
}
