// `.worktreeinclude`: ignored files of the user's checkout that work needs, such as a `.env`, copied into a new
// workspace. Patterns are those of a `.gitignore`; only files that git ignores are copied. Regular files only: no link
// is followed on either side, and the total is bounded.

import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, mkdir, open, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { isFault } from '../../std/fault.ts';
import { diskFault, errnoOf } from '../../std/files.ts';
import { type GitOptions, git } from '../commands/git.ts';
import { hasDirectory } from '../commands/real-directory.ts';
import { pathOf, records, shownName } from '../commands/tree-index.ts';
import { excludesFileOf } from '../project/user-ignore.ts';

export interface IncludePlace {
  /** The top of the user's checkout. */
  readonly root: string;
  /** No agent uses it yet. */
  readonly workspace: string;
  readonly userHome: string | null;
}

export interface IncludeLimits {
  readonly filesMax: number;
  readonly bytesMax: number;
}

export const usualIncludeLimits: IncludeLimits = { filesMax: 1_000, bytesMax: 64 * 2 ** 20 };

export interface IncludedFile {
  /** As latin1. */
  readonly name: string;
  readonly hash: string;
}

export interface Included {
  readonly files: readonly IncludedFile[];
  readonly notes: readonly string[];
}

export async function copyIncluded(place: IncludePlace, limits: IncludeLimits, signal: AbortSignal): Promise<Included> {
  const names = await wantedNames(place, signal);
  if (!Array.isArray(names)) return { files: [], notes: [names.why] };
  const root = await realpath(place.root);
  const files: IncludedFile[] = [];
  const skipped: string[] = [];
  let bytes = 0;
  for (const name of names) {
    signal.throwIfAborted();
    const room = limits.bytesMax - bytes;
    const content = files.length >= limits.filesMax ? 'over the limit' : await readPlain(root, name, room);
    const flaw = typeof content === 'string' ? content : await writeNew(place.workspace, name, content);
    if (flaw !== null || typeof content === 'string') skipped.push(`${shownName(name)} (${flaw})`);
    else {
      bytes += content.data.length;
      files.push({ name, hash: hashOf(content.data) });
    }
  }
  return { files, notes: notesOf(files, skipped) };
}

/** Whether a file is still as it was copied. */
export async function isUnchanged(workspace: string, { name, hash }: IncludedFile): Promise<boolean> {
  const content = await readPlain(workspace, name, usualIncludeLimits.bytesMax);
  return typeof content !== 'string' && hashOf(content.data) === hash;
}

const fileName = '.worktreeinclude';
const listingMaxBytes = 4 * 2 ** 20;

async function wantedNames(place: IncludePlace, signal: AbortSignal): Promise<string[] | { why: string }> {
  if (!(await hasDirectory(place.root))) return { why: `nothing was copied for ${fileName}: ${place.root} is gone` };
  const patterns = join(place.root, fileName);
  if (!(await lstat(patterns).catch(() => null))?.isFile()) return [];
  const options: GitOptions = { cwd: place.root, signal, encoding: 'latin1', stdoutMaxBytes: listingMaxBytes };
  try {
    const args = ['ls-files', '--others', '--ignored', '-z', `--exclude-from=${patterns}`];
    const matching = (await git(args, options)).stdout;
    if (matching === '') return [];
    const excludes = await excludesFileOf(place.root, place.userHome, signal);
    const ignored = await git(['check-ignore', '-z', '--stdin'], {
      ...options,
      ...(excludes === null ? {} : { config: { 'core.excludesFile': excludes } }),
      input: Buffer.from(matching, 'latin1'),
      accept: [0, 1],
    });
    return records(ignored.stdout);
  } catch (error) {
    if (!isFault(error, 'git_failed')) throw error;
    return { why: `nothing was copied for ${fileName}: ${error.message}` };
  }
}

interface Content {
  readonly data: Buffer;
  readonly mode: number;
}

/** The file, or why it is not taken. */
async function readPlain(root: string, name: string, bytesMax: number): Promise<Content | string> {
  const path = pathOf(root, name);
  const folder = path.subarray(0, path.lastIndexOf('/'));
  const real = await realpath(folder).catch(() => null);
  if (real === null || real !== folder.toString('utf8')) return 'reached through a link';
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(path, flags).catch((error: unknown) => errnoOf(error) ?? String(error));
  if (typeof file === 'string') return file === 'ELOOP' ? 'a link' : `not readable: ${file}`;
  try {
    const found = await file.stat();
    if (!found.isFile()) return 'not a file';
    if (found.size > bytesMax) return 'over the limit';
    return { data: await file.readFile(), mode: found.mode & 0o777 };
  } finally {
    await file.close();
  }
}

async function writeNew(workspace: string, name: string, { data, mode }: Content): Promise<string | null> {
  const parts = name.split('/');
  for (let depth = 1; depth < parts.length; depth += 1) {
    const folder = pathOf(workspace, parts.slice(0, depth).join('/'));
    const made = await mkdir(folder).then(
      () => true,
      (error: unknown) => {
        if (errnoOf(error) === 'EEXIST') return false;
        throw diskFault(error, workspace);
      },
    );
    // A link in the commit might lead out of the workspace.
    if (!made && !(await lstat(folder)).isDirectory()) return 'something else is in its place';
  }
  try {
    const file = await open(pathOf(workspace, name), 'wx', mode);
    try {
      await file.writeFile(data);
    } finally {
      await file.close();
    }
    return null;
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return 'something else is in its place';
    throw diskFault(error, workspace);
  }
}

function hashOf(data: Buffer): string {
  return createHash('sha256').update(data).digest('hex');
}

const shownMax = 10;

function notesOf(files: readonly IncludedFile[], skipped: readonly string[]): string[] {
  const listed = (names: readonly string[]): string =>
    names.length > shownMax
      ? `${names.slice(0, shownMax).join(', ')} and ${names.length - shownMax} more`
      : names.join(', ');
  return [
    ...(files.length === 0 ? [] : [`copied for ${fileName}: ${listed(files.map(({ name }) => shownName(name)))}`]),
    ...(skipped.length === 0 ? [] : [`not copied for ${fileName}: ${listed(skipped)}`]),
  ];
}
