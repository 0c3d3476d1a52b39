// The key of a check's result: a hash of everything that the result is taken to depend on.
//
// It includes: the tree (not the commit, since equal files are equal whatever their history); the command and its timeout,
// since less time can give another answer; whether it runs in a sandbox; the PATH, and where on it the command's program is,
// with size and modification time, so that another version of it is run again; the machine's architecture and system release;
// and a version number of the way in which checks are run.
//
// It does not include what cannot be known: the programs that the command starts, the network, the time of day. A person can
// have a check that depends on them run again (see `failuresSince`).

import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { access, realpath, stat } from 'node:fs/promises';
import { release } from 'node:os';
import { join } from 'node:path';
import type { CheckSetup } from './check-setup.ts';

export interface CheckQuestion {
  readonly tree: string;
  readonly argv: readonly string[];
  readonly timeoutMs: number;
  readonly environment: CheckEnvironment;
  /** What the setup of the checkout depends on; null: the tree has none. */
  readonly setup: CheckSetup | null;
}

export interface CheckEnvironment {
  /** The version of the way in which checks are run: raise it when a change could change results. */
  readonly format: number;
  readonly sandboxed: boolean;
  readonly path: string;
  readonly platform: string;
  readonly arch: string;
  readonly release: string;
  /** null: it is not found, or is part of the tree. */
  readonly program: { readonly path: string; readonly bytes: number; readonly changedMs: number } | null;
}

const format = 3;

export async function environmentOf(
  [program = '']: readonly string[],
  { path, sandboxed }: { readonly path: string; readonly sandboxed: boolean },
): Promise<CheckEnvironment> {
  const { platform, arch } = process;
  return { format, sandboxed, path, platform, arch, release: release(), program: await findProgram(program, path) };
}

export function keyOf({ tree, argv, timeoutMs, environment: of, setup }: CheckQuestion): string {
  const environment = [of.format, of.sandboxed, of.path, of.platform, of.arch, of.release];
  const program = of.program === null ? null : [of.program.path, of.program.bytes, of.program.changedMs];
  // As JSON, so that different lists never give the same text.
  const text = JSON.stringify([tree, argv, timeoutMs, environment, program, setup && [setup.file, setup.key]]);
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
