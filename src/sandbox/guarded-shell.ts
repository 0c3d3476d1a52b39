// The shell that speaks for a command: it is the first process inside a sandbox, starts the command and ends as it ends, and the
// kernel tells bubblewrap outside how. It is a copy of the system's shell which nobody can read. The kernel lets nothing trace a
// program that it may not read, take its descriptors or write to its memory, and inside its namespace the first process gets no signal
// that it does not handle. So what runs inside can end itself with any status, and change nobody else's.
//
// bubblewrap's own init is no such process: whoever runs beside it takes its descriptors, and with them writes the exit status.

import { chmod, copyFile, mkdir, realpath, rename, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { relayName } from '../process/confine.ts';
import { Fault } from '../std/fault.ts';
import { diskFault } from '../std/files.ts';

export interface GuardedShell {
  readonly path: string;
  /** The arguments of bubblewrap behind its options: the command, started by the first process of the namespace. */
  guard(argv: readonly string[]): readonly string[];
}

/** `folder`: in Signalbox's home, and shown in the sandbox as far as it is mounted. */
export async function makeGuardedShell(folder: string): Promise<GuardedShell> {
  // By this name: some shells are programs of many names.
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(await realpath(folder), 'sh');
  await copyUnreadable(await realpath('/bin/sh'), path);
  return { path, guard: (argv) => ['--as-pid-1', '--', path, '-c', relay, relayName, ...guardedText(argv, path)] };
}

// A shell tells on its stderr which signal ended a command: that is not the command's output. `exec` takes programs only: no word of
// the shell is run in the first process.
const relay = 'exec 9>&2 2>/dev/null; (exec "$@" 2>&9 9>&-); exit $?';

/**
 * Whatever a shell command starts runs beside its shell, which decides how the command ends: that shell is guarded as well. A text
 * that is called `sh` by name gets the path instead, with which it can do the same for a command of its own.
 */
function guardedText(argv: readonly string[], path: string): readonly string[] {
  const [program, option, text, name, ...rest] = argv;
  if (program !== 'sh' || option !== '-c' || text === undefined) return argv;
  return [path, option, text, name === undefined ? 'sh' : name === 'sh' ? path : name, ...rest];
}

const unreadable = 0o111;

async function copyUnreadable(from: string, to: string): Promise<void> {
  try {
    const original = await stat(from);
    const there = await stat(to).catch(() => null);
    const isSame = there?.size === original.size && Math.trunc(there.mtimeMs) === Math.trunc(original.mtimeMs);
    if (!isSame || (there.mode & 0o7777) !== unreadable) {
      const made = `${to}.${process.pid}`;
      await copyFile(from, made);
      await utimes(made, original.atime, original.mtime);
      await chmod(made, unreadable);
      await rename(made, to);
    }
  } catch (error) {
    throw diskFault(error, to);
  }
  const { mode } = await stat(to);
  if ((mode & 0o7777) === unreadable) return;
  throw new Fault('launch_failed', `${to} can be read by everybody: its file system keeps no permissions`);
}
