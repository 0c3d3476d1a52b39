// Results of setups, kept to be copied into other workspaces of the project. A result is moved into place when it is complete
// and never written again. Files are cloned where the file system can, else copied, never hard linked: writing to a linked
// file, or changing its mode, would change the kept one and that of every other agent, and each new link would change the
// change time by which the pool recognises what agents touched.

import { lstat, mkdir, mkdtemp, readdir, rename, utimes, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { trustedPath } from '../../process/confine.ts';
import { Fault, isFault } from '../../std/fault.ts';
import { diskFault, readIfThere } from '../../std/files.ts';
import { lastLine } from '../commands/failure-line.ts';
import type { Layout } from '../commands/layout.ts';
import { hasDirectory } from '../commands/real-directory.ts';
import { runChild } from '../commands/run-process.ts';
import { removeTree } from '../commands/scratch-directories.ts';

/** What is left of a kept result in a workspace that is used again, equal to a new copy. */
export interface Spared {
  readonly origin: string | null;
  /** Where each of the names is now. */
  readonly at: ReadonlyMap<string, string>;
}

export const noneSpared: Spared = { origin: null, at: new Map() };

export function setupPlace(layout: Layout, project: string, key: string): string {
  return join(layout.setups, project, key);
}

/** Identifies the result: one that is made again at the same place is another. null: there is none. */
export async function originOf(place: string): Promise<string | null> {
  const found = await lstat(join(place, 'names.json'), { bigint: true }).catch(() => null);
  return found === null ? null : `${basename(place)} ${found.ino} ${found.ctimeNs}`;
}

/** Copies a kept result into a workspace that has no agent yet. Returns the names put there; null: it is not available. */
export async function takeSetup(
  { place, workspace, spared }: { readonly place: string; readonly workspace: string; readonly spared: Spared },
  signal: AbortSignal,
): Promise<string[] | null> {
  const text = await readIfThere(join(place, 'names.json'));
  if (text === null) return null;
  const names = JSON.parse(text) as string[];
  for (const name of names) if (!(await isOpen(workspace, name))) return null;
  const put: string[] = [];
  try {
    const now = new Date();
    await utimes(place, now, now);
    const valid = spared.origin === (await originOf(place));
    for (const name of names) {
      put.push(name);
      const to = join(workspace, name);
      const aside = valid ? spared.at.get(name) : undefined;
      if (aside === undefined) await copyTree(join(place, 'files', name), to, signal);
      else await putBack(aside, to);
    }
    return names;
  } catch (error) {
    for (const name of put) await removeTree(join(workspace, name));
    if (isFault(error, 'disk_full')) throw error;
    signal.throwIfAborted();
    // It may have been removed meanwhile; the setup makes it again.
    return null;
  }
}

export async function keepSetup(
  { place, scratch, workspace }: { readonly place: string; readonly scratch: string; readonly workspace: string },
  names: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const made = join(scratch, 'setup');
  try {
    await mkdir(made);
    for (const name of names) await copyTree(join(workspace, name), join(made, 'files', name), signal);
    await writeFile(join(made, 'names.json'), JSON.stringify(names));
    await mkdir(dirname(place), { recursive: true, mode: 0o700 });
    await rename(made, place);
  } catch (error) {
    throw diskFault(error, place);
  }
}

/** Moved aside first: whatever is at the place of a result is complete. */
export async function discardSetup(layout: Layout, place: string): Promise<void> {
  const trash = await mkdtemp(join(layout.scratch, 'trash-'));
  await rename(place, join(trash, 'setup')).catch(() => undefined);
  await removeTree(trash);
}

async function putBack(aside: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await rename(aside, to);
}

/** Each as project and key. */
export async function keptSetups(layout: Layout): Promise<(readonly [string, string])[]> {
  const all: (readonly [string, string])[] = [];
  for (const project of (await readdir(layout.setups)).sort()) {
    const keys: string[] = await readdir(join(layout.setups, project)).catch(() => []);
    for (const key of keys.sort()) all.push([project, key]);
  }
  return all;
}

/** Nothing is there yet, and no link on the way leads elsewhere. */
async function isOpen(workspace: string, name: string): Promise<boolean> {
  const parts = name.split('/');
  for (let at = 1; at < parts.length; at += 1) {
    const folder = join(workspace, ...parts.slice(0, at));
    if ((await lstat(folder).catch(() => null)) === null) return true;
    if (!(await hasDirectory(folder))) return false;
  }
  return (await lstat(join(workspace, name)).catch(() => null)) === null;
}

export async function copyTree(from: string, to: string, signal: AbortSignal): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  const flags = process.platform === 'darwin' ? ['-c', '-R', '-p'] : ['-a', '--reflink=auto'];
  let said = '';
  const onOutput = (chunk: Buffer): boolean => {
    said = (said + chunk.toString('utf8')).slice(-saidKept);
    return true;
  };
  const env = { PATH: trustedPath, LC_ALL: 'C' };
  const argv = ['cp', ...flags, from, to];
  const end = await runChild({ argv, cwd: '/', env, timeoutMs: copyTimeoutMs, graceMs: 0, onOutput }, signal);
  if (end.kind === 'exited' && end.code === 0) return;
  const full = /No space left on device|Disk quota exceeded/.test(said);
  throw new Fault(full ? 'disk_full' : 'git_failed', `cannot copy ${from}: ${lastLine(said) || end.kind}`);
}

const copyTimeoutMs = 15 * 60_000;
const saidKept = 4096;
