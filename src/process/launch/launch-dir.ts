// The directory of one launch: what lies in it, and how to read it. It is the whole truth about a launch, written by
// the shim and by the supervisor, and stays outside every sandbox. Its files are small and fresh: they are read in place,
// because a trip through the thread pool takes ten times as long, and the launch just begun needs the processor.
//
//   spec.json   what was asked, for people: arguments, directory, names (never values) of the environment
//   in          every byte for the agent's stdin, append-only
//   out, err    every byte of its stdout and stderr
//   order       the command, as shell text for the shim
//   claim       made by the shim that runs this launch: at most one ever does
//   shim        boot id, pid and start time of that shim, one a line
//   go          made before the command begins, by the shim, or by a supervisor that rules it out
//   info        what the confinement says of the agent's process, as JSON
//   rc          exit status; written last, by rename
//   swept       no process of this launch is left

import { createHash } from 'node:crypto';
import { closeSync, openSync, readFileSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { ProcessIdentity } from '../../ports/launch-port.ts';
import { assert } from '../../std/assert.ts';
import { diskFault, errnoOf } from '../../std/files.ts';

export interface LaunchDir {
  readonly id: string;
  readonly path: string;
  /**
   * In the environment of every process of this launch. It contains the directory, because ids may repeat elsewhere.
   */
  readonly mark: string;
  readonly in: string;
  readonly out: string;
  readonly err: string;
  readonly claim: string;
  readonly shim: string;
  readonly go: string;
  readonly info: string;
  readonly rc: string;
  readonly swept: string;
}

/** What the confinement wrote about the agent. */
export type LaunchInfo =
  | { readonly kind: 'namespace'; readonly init: number; readonly inode: number }
  | { readonly kind: 'process'; readonly pid: number; readonly start: string };

export function launchDir(root: string, launchId: string): LaunchDir {
  assert(isLaunchId(launchId), `not a launch id: ${launchId}`);
  const path = join(resolve(root), launchId);
  return {
    id: launchId,
    path,
    mark: createHash('sha256').update(path).digest('hex').slice(0, 24),
    in: join(path, 'in'),
    out: join(path, 'out'),
    err: join(path, 'err'),
    claim: join(path, 'claim'),
    shim: join(path, 'shim'),
    go: join(path, 'go'),
    info: join(path, 'info'),
    rc: join(path, 'rc'),
    swept: join(path, 'swept'),
  };
}

/** Ids are file names: no separators, nothing hidden, no option. */
function isLaunchId(name: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/.test(name);
}

export function readStatus(dir: LaunchDir): number | null {
  const text = readNow(dir.rc);
  if (text === null) return null;
  assert(/^\d{1,3}\n$/.test(text), `launch ${dir.id}: rc is ${JSON.stringify(text)}`);
  return Number(text);
}

export function readShim(dir: LaunchDir): ProcessIdentity | null {
  const [bootId, pid, start, rest] = readNow(dir.shim)?.split('\n') ?? [];
  // A file without its final newline is not complete yet.
  if (rest !== '') return null;
  // An empty field would match any process that we fail to read.
  assert(bootId && start && /^\d+$/.test(pid ?? ''), `launch ${dir.id}: the shim is ${bootId} ${pid} ${start}`);
  return { bootId, pid: Number(pid), start };
}

/** Null while it is not written, or only half: ask again. */
export function readInfo(dir: LaunchDir): LaunchInfo | null {
  const info = parseJson(readNow(dir.info) ?? '');
  const pid = info['child-pid'];
  if (!Number.isSafeInteger(pid)) return null;
  const inode = info['pid-namespace'];
  if (Number.isSafeInteger(inode)) return { kind: 'namespace', init: Number(pid), inode: Number(inode) };
  const start = info['start'];
  return typeof start === 'string' && start !== '' ? { kind: 'process', pid: Number(pid), start } : null;
}

export function isThere(path: string): boolean {
  return modifiedMs(path) !== null;
}

export function modifiedMs(path: string): number | null {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? null;
}

/** Creates a file that several processes race for. True for the one that created it. */
export function takeFile(path: string): boolean {
  try {
    closeSync(openSync(path, 'wx', 0o600));
    return true;
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false;
    throw diskFault(error, path);
  }
}

function readNow(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return null;
    throw diskFault(error, path);
  }
}

function parseJson(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

/** Ids of all launches that have a directory. */
export async function listLaunches(root: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(root, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory() && isLaunchId(entry.name)).map((entry) => entry.name);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return [];
    throw diskFault(error, root);
  }
}
