// Runs a command that executes a repository's or an agent's code: in the sandbox where there is to be one, with an
// environment made for it, and told in words how it ended. What it means that it failed is for the caller to say.

import { must } from '../std/assert.ts';
import { errnoOf } from '../std/files.ts';
import { type ChildEnd, runChild } from './child.ts';
import { lastLine } from './last-line.ts';

/** Puts a command into a sandbox where it reaches only this. */
export type ConfineCommand = (argv: readonly string[], cwd: string, reach: CommandReach) => readonly string[];

export interface CommandReach {
  readonly readable: readonly string[];
  readonly writable: readonly string[];
}

export interface CommandOrder {
  readonly argv: readonly string[];
  readonly cwd: string;
  /** Its HOME and where its temporary files go. */
  readonly home: string;
  /** Where it finds its programs. */
  readonly path: string;
  readonly env?: Readonly<Record<string, string>>;
  /** What it must read beside its directory and home. */
  readonly readable: readonly string[];
  readonly sandboxed: boolean;
  readonly timeoutMs: number;
  readonly graceMs: number;
}

export interface CommandEnd {
  readonly ok: boolean;
  /** How it ended, in a few words. */
  readonly outcome: string;
  /** The end of what it printed. */
  readonly output: string;
}

const outputKept = 4_000;

export async function runConfined(
  order: CommandOrder,
  confine: ConfineCommand | null,
  signal: AbortSignal,
): Promise<CommandEnd> {
  const { cwd, home, path, readable, sandboxed, timeoutMs, graceMs } = order;
  const reach = { readable, writable: [cwd, home] };
  const argv = sandboxed ? must(confine, 'there is a sandbox')(order.argv, cwd, reach) : order.argv;
  let output = '';
  const onOutput = (chunk: Buffer): boolean => {
    output = (output + chunk.toString('utf8')).slice(-outputKept);
    return true;
  };
  const env = { PATH: path, HOME: home, TMPDIR: home, LC_ALL: 'C', ...order.env };
  const end = await runChild({ argv, cwd, env, timeoutMs, graceMs, onOutput }, signal);
  return { ok: end.kind === 'exited' && end.code === 0, outcome: outcomeOf(end, argv, timeoutMs), output };
}

function outcomeOf(end: ChildEnd, argv: readonly string[], timeoutMs: number): string {
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
      return `cannot start ${JSON.stringify(argv[0] ?? '')}: ${reasonOf(end.cause)}`;
  }
}

function reasonOf(cause: unknown): string {
  const errno = errnoOf(cause);
  if (errno === 'ENOENT') return 'not found';
  if (errno === 'EACCES') return 'not executable';
  return lastLine(cause instanceof Error ? cause.message : String(cause));
}
