// Runs a command that executes code of a repository or an agent: in the sandbox where one is required, with an
// environment made for it. It says in words how the command ended; what a failure means is up to the caller.

import { hasBegun, startFailure } from '../../process/confine.ts';
import { must } from '../../std/assert.ts';
import { errnoOf } from '../../std/files.ts';
import { lastLine } from './failure-line.ts';
import { hasDirectory } from './real-directory.ts';
import { type ChildEnd, runChild } from './run-process.ts';

/** Wraps a command in a sandbox where it reaches only this. The sandbox reports on it at `statusFd`. */
export type ConfineCommand = (argv: readonly string[], cwd: string, reach: CommandReach) => readonly string[];

export interface CommandReach {
  readonly readable: readonly string[];
  readonly writable: readonly string[];
}

export interface CommandOrder {
  readonly argv: readonly string[];
  readonly cwd: string;
  /** Its HOME and TMPDIR. */
  readonly home: string;
  /** Where it finds its programs. */
  readonly path: string;
  readonly env?: Readonly<Record<string, string>>;
  /** What it must read beside its directory and home. */
  readonly readable: readonly string[];
  readonly sandboxed: boolean;
  readonly timeoutMs: number;
  readonly graceMs: number;
  /** All that it prints, as it comes. */
  onOutput?(chunk: Buffer): void;
}

export interface CommandEnd {
  readonly ok: boolean;
  /** How it ended, in a few words. */
  readonly outcome: string;
  /** The end of what it printed. */
  readonly output: string;
  /** The result says nothing about the command: this machine could not start it, or something outside killed it. */
  readonly unrun: boolean;
}

const outputKept = 4_000;
const statusKept = 4_000;

export async function runConfined(
  order: CommandOrder,
  confine: ConfineCommand | null,
  signal: AbortSignal,
): Promise<CommandEnd> {
  const { cwd, home, path, readable, sandboxed, timeoutMs, graceMs } = order;
  const reach = { readable, writable: [cwd, home] };
  const argv = sandboxed ? must(confine, 'there is a sandbox')(order.argv, cwd, reach) : order.argv;
  let output = '';
  let status = '';
  const onOutput = (chunk: Buffer): boolean => {
    order.onOutput?.(chunk);
    output = (output + chunk.subarray(-outputKept).toString('utf8')).slice(-outputKept);
    return true;
  };
  const onStatus = (chunk: Buffer): void => {
    status = (status + chunk.toString('utf8')).slice(-statusKept);
  };
  const env = { PATH: path, HOME: home, TMPDIR: home, LC_ALL: 'C', ...order.env };
  const child = { argv, cwd, env, timeoutMs, graceMs, onOutput };
  const end = await runChild(sandboxed ? { ...child, onStatus } : child, signal);
  const told = sandboxed ? insideEnd(end, order.argv, { status, output }) : await plainEnd(end, order);
  return { ok: end.kind === 'exited' && end.code === 0, output, outcome: outcomeOf(end, timeoutMs), ...told };
}

type Told = Partial<CommandEnd> & Pick<CommandEnd, 'unrun'>;

/** Without a sandbox every failure is the command's own, except that the machine could not start it. */
async function plainEnd(end: ChildEnd, { argv, cwd }: CommandOrder): Promise<Told> {
  if (end.kind !== 'unstartable') return { unrun: false };
  const errno = errnoOf(end.cause) ?? '';
  const ofCommand = argvErrors.has(errno) || (programErrors.has(errno) && (await hasDirectory(cwd)));
  return { unrun: !ofCommand, outcome: notStarted(argv, reasonOf(end.cause)) };
}

/** The process that ends is the sandbox itself; it ends as the command did, if that was started. */
function insideEnd(end: ChildEnd, argv: readonly string[], said: { status: string; output: string }): Told {
  switch (end.kind) {
    case 'timedOut':
    case 'tooMuchOutput':
      return { unrun: false };
    case 'exited': {
      if (!hasBegun(said.status)) return { unrun: true, ok: false, outcome: 'the sandbox could not be set up' };
      const reason = startFailure(end.code, said.output);
      if (reason === null) return { unrun: false };
      return { unrun: false, ok: false, output: '', outcome: notStarted(argv, execReasons.get(reason) ?? reason) };
    }
    case 'signalled':
      return { unrun: true, outcome: `the sandbox was ended by ${end.by}` };
    case 'unstartable': {
      const reason = reasonOf(end.cause);
      if (argvErrors.has(errnoOf(end.cause) ?? '')) return { unrun: false, outcome: notStarted(argv, reason) };
      return { unrun: true, outcome: `the sandbox cannot be started: ${reason}` };
    }
  }
}

function notStarted(argv: readonly string[], reason: string): string {
  return `cannot start ${JSON.stringify(argv[0] ?? '')}: ${reason}`;
}

const execReasons = new Map([
  ['No such file or directory', 'not found'],
  ['Permission denied', 'not executable'],
]);

function outcomeOf(end: ChildEnd, timeoutMs: number): string {
  switch (end.kind) {
    case 'exited':
      return `exit ${end.code}`;
    case 'signalled':
      return `ended by ${end.by}`;
    case 'timedOut':
      return `not finished after ${timeoutMs < 1000 ? `${timeoutMs} ms` : `${Math.round(timeoutMs / 1000)} s`}`;
    case 'tooMuchOutput':
      return 'too much output';
    case 'unstartable':
      return `cannot be started: ${reasonOf(end.cause)}`;
  }
}

/** Errors that any machine would give for this command. */
const argvErrors: ReadonlySet<string> = new Set(['E2BIG', 'ERR_INVALID_ARG_TYPE', 'ERR_INVALID_ARG_VALUE']);

/** Errors of this program; another one could still be started. */
const programErrors: ReadonlySet<string> = new Set([
  'EACCES',
  'EISDIR',
  'ELOOP',
  'ENAMETOOLONG',
  'ENOENT',
  'ENOEXEC',
  'ENOTDIR',
  'EPERM',
  'ETXTBSY',
]);

function reasonOf(cause: unknown): string {
  const errno = errnoOf(cause);
  if (errno === 'ENOENT') return 'not found';
  if (errno === 'EACCES') return 'not executable';
  return lastLine(cause instanceof Error ? cause.message : String(cause));
}
