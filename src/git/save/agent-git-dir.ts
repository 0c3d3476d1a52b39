// Reads a git directory that an agent can write, without git. Nothing in it is trusted: links and special files are
// never followed or waited for, and sizes are bounded.

import { constants } from 'node:fs';
import { lstat, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isCommitId } from '../commands/git.ts';

/** Why the objects may not be the agent's own; null = they are. */
export async function flawOfGitDir(gitDir: string, lent: string): Promise<string | null> {
  const objects = join(gitDir, 'objects');
  for (const path of [gitDir, objects, join(objects, 'info')]) {
    const found = await lstat(path).catch(() => null);
    if (!found?.isDirectory()) return '.git is not the directory that it was';
  }
  // Borrowing from elsewhere would bring in the content of another repository.
  const alternates = await readRegular(join(objects, 'info', 'alternates'), lineMaxBytes);
  if (alternates?.trimEnd() !== lent) return 'it borrows objects from elsewhere';
  return (await isPlain(objects, depthMax)) ? null : 'its objects are not plain files';
}

/** The commit that is checked out there, as the agent's files say. */
export async function readHead(gitDir: string): Promise<string | null> {
  let text = await readRegular(join(gitDir, 'HEAD'), lineMaxBytes);
  for (let hops = 0; hops < symrefsMax; hops += 1) {
    const line = text?.trim() ?? '';
    if (isCommitId(line)) return line;
    const name = /^ref: (refs\/[^\0\n]+)$/.exec(line)?.[1];
    if (name === undefined || name.split('/').includes('..')) return null;
    text = (await readRegular(join(gitDir, name), lineMaxBytes)) ?? (await readPacked(gitDir, name));
  }
  return null;
}

export interface AgentRef {
  readonly name: string;
  readonly id: string;
}

/** Branches and the stash, as the agent's files say, so many at most. */
export async function readRefs(gitDir: string): Promise<AgentRef[]> {
  const found = new Map<string, string>();
  const packed = await readRegular(join(gitDir, 'packed-refs'), packedRefsMaxBytes);
  for (const line of packed?.split('\n') ?? []) {
    const [, id = '', name = ''] = /^([0-9a-f]{40,64}) (refs\/(?:heads\/.+|stash))$/.exec(line) ?? [];
    if (isCommitId(id)) found.set(name, id);
  }
  const names = ['refs/stash', ...(await namesBelow(gitDir, 'refs/heads', refDepthMax))];
  for (const name of names.slice(0, refsMax)) {
    const id = (await readRegular(join(gitDir, name), lineMaxBytes))?.trim() ?? '';
    if (isCommitId(id)) found.set(name, id);
  }
  return Array.from(found, ([name, id]) => ({ name, id })).slice(0, refsMax);
}

const refsMax = 1_000;
const refDepthMax = 8;

async function namesBelow(gitDir: string, folder: string, depth: number): Promise<string[]> {
  if (depth === 0 || !(await lstat(join(gitDir, folder)).catch(() => null))?.isDirectory()) return [];
  const names: string[] = [];
  for (const entry of await readdir(join(gitDir, folder), { withFileTypes: true }).catch(() => [])) {
    const name = `${folder}/${entry.name}`;
    if (entry.isFile()) names.push(name);
    else if (entry.isDirectory()) names.push(...(await namesBelow(gitDir, name, depth - 1)));
    if (names.length >= refsMax) break;
  }
  return names;
}

const lineMaxBytes = 8192;
const packedRefsMaxBytes = 64 * 1024 * 1024;
const symrefsMax = 5;
/** objects/info/commit-graphs/… is the deepest that git makes. */
const depthMax = 3;

async function readPacked(gitDir: string, name: string): Promise<string | null> {
  const text = await readRegular(join(gitDir, 'packed-refs'), packedRefsMaxBytes);
  const line = text?.split('\n').find((one) => one.endsWith(` ${name}`));
  return line?.slice(0, line.indexOf(' ')) ?? null;
}

async function isPlain(directory: string, depth: number): Promise<boolean> {
  if (depth === 0) return false;
  for (const entry of await readdir(directory, { withFileTypes: true }).catch(() => [])) {
    if (entry.isFile()) continue;
    if (!entry.isDirectory() || !(await isPlain(join(directory, entry.name), depth - 1))) return false;
  }
  return true;
}

async function readRegular(path: string, maxBytes: number): Promise<string | null> {
  // Non-blocking: opening a named pipe would otherwise wait for a writer.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(path, flags).catch(() => null);
  if (file === null) return null;
  try {
    const found = await file.stat();
    return found.isFile() && found.size <= maxBytes ? await file.readFile('utf8') : null;
  } finally {
    await file.close();
  }
}
