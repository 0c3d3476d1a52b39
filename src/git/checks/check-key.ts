// What a check's result is taken to depend on, and its hash, under which the result is kept.
//
// In it are: the tree, since a check sees nothing else of the work (not the commit: the same files came about in another
// way are the same files); the command and its timeout, since less time can be another answer; whether a sandbox is around
// it, since that hides things; the PATH, and where on it the command's program lies, with size and time of change, so that
// another version of it is asked anew; the kind of machine and the release of its system; and a number for the way in
// which we run checks.
//
// Not in it, since nobody can know them: what other programs the command starts, the network, the time of day. A check
// that depends on such things can be run anew by a person's word (see `failuresSince`).

import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { access, realpath, stat } from 'node:fs/promises';
import { release } from 'node:os';
import { join } from 'node:path';

export interface CheckQuestion {
  readonly tree: string;
  readonly argv: readonly string[];
  readonly timeoutMs: number;
  readonly environment: CheckEnvironment;
}

export interface CheckEnvironment {
  /** Of the way in which checks are run: to be raised when that could change a result. */
  readonly format: number;
  readonly sandboxed: boolean;
  readonly path: string;
  readonly platform: string;
  readonly arch: string;
  readonly release: string;
  /** null: it is not found, or is part of the tree. */
  readonly program: { readonly path: string; readonly bytes: number; readonly changedMs: number } | null;
}

const format = 1;

export async function environmentOf(
  [program = '']: readonly string[],
  { path, sandboxed }: { readonly path: string; readonly sandboxed: boolean },
): Promise<CheckEnvironment> {
  const { platform, arch } = process;
  return { format, sandboxed, path, platform, arch, release: release(), program: await findProgram(program, path) };
}

export function keyOf({ tree, argv, timeoutMs, environment: of }: CheckQuestion): string {
  const environment = [of.format, of.sandboxed, of.path, of.platform, of.arch, of.release];
  const program = of.program === null ? null : [of.program.path, of.program.bytes, of.program.changedMs];
  // As JSON, so that no two lists of words look alike.
  const text = JSON.stringify([tree, argv, timeoutMs, environment, program]);
  return createHash('sha256').update(text).digest('hex');
}

async function findProgram(name: string, path: string): Promise<CheckEnvironment['program']> {
  const folders = name.includes('/') ? [''] : path.split(':').filter((folder) => folder.startsWith('/'));
  for (const folder of folders) {
    const file = folder === '' ? name : join(folder, name);
    const found = file.startsWith('/') ? await programAt(file) : null;
    if (found !== null) return found;
  }
  return null;
}

async function programAt(file: string): Promise<CheckEnvironment['program']> {
  try {
    await access(file, constants.X_OK);
    const path = await realpath(file);
    const found = await stat(path);
    return found.isFile() ? { path, bytes: found.size, changedMs: Math.trunc(found.mtimeMs) } : null;
  } catch {
    return null;
  }
}
