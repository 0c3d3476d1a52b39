// The files of a directory in an index of ours, written as a tree. git runs with our git directory; of a nested
// repository only the link to its commit is taken, and nothing is run in it.

import { Buffer } from 'node:buffer';
import { lstat, readdir } from 'node:fs/promises';
import { must } from '../../std/assert.ts';
import { lastLine } from './failure-line.ts';
import { type GitOptions, git } from './git.ts';
import { type IndexEntry, linkMode, readIndexFile } from './index-file.ts';

/** Names are read and written as bytes, so the options say latin1. */
export type TreeOptions = GitOptions & { readonly encoding: 'latin1' };

export const listingMaxBytes = 256 * 1024 * 1024;

export interface AddOrder {
  /** A commit of the repository, which tells the hash in use. */
  readonly like: string;
  /** Names to leave as they are in the index. */
  readonly without?: readonly string[];
  /** Names whose files are read regardless of their times. */
  readonly doubted?: readonly string[];
}

export interface Added {
  /** What the index held before and holds now, by name. */
  readonly before: readonly IndexEntry[];
  readonly after: readonly IndexEntry[];
  readonly notes: readonly string[];
}

/** Takes every file of the directory that is tracked or not ignored. The index holds what is tracked. */
export async function addTree(
  directory: string,
  { like, without = [], doubted = [] }: AddOrder,
  options: TreeOptions,
): Promise<Added> {
  const before = await doubtFiles(doubted, like, options);
  const links = before.filter((entry) => entry.mode === linkMode);
  // `git add` runs `git status` in every nested repository that the index knows, with the configuration there. One that
  // it does not know is only read.
  await forget(
    links.map(({ name }) => name),
    like,
    options,
  );
  const paths = ['.', ...without.map((name) => `:(top,exclude,literal)${name}`)].map((path) => `${path}\0`);
  const from = ['--pathspec-from-file=-', '--pathspec-file-nul'];
  const added = await git(['add', '--all', '--ignore-errors', ...(without.length === 0 ? [] : from)], {
    ...options,
    ...(without.length === 0 ? {} : { input: Buffer.from(paths.join(''), 'latin1') }),
    accept: [0, 1],
  });
  const taken = await indexEntries(like, options);
  const restored = await restoreLinks(links, taken, directory, options);
  const after = restored ? await indexEntries(like, options) : taken;
  const notes = added.status === 0 ? [] : [`some files could not be saved: ${lastLine(added.stderr)}`];
  return { before, after, notes };
}

/** Has these files read at the next look regardless of their times. Returns all entries of the index. */
export async function doubtFiles(
  names: readonly string[],
  like: string,
  options: TreeOptions,
): Promise<readonly IndexEntry[]> {
  const doubts = new Set(names);
  const index = await readIndexFile(indexOf(options), like);
  if (index !== null) {
    await index.doubt(doubts);
    return index.entries();
  }
  const entries = await listedEntries(options);
  // An entry that is added again has no times, so its file is read.
  const again = entries.filter(({ mode, name }) => mode !== linkMode && doubts.has(name));
  await updateIndex(
    again.map(({ mode, id, name }) => `${mode} ${id}\t${name}`),
    options,
  );
  return entries;
}

/** Takes names out of the index. */
export async function forget(names: readonly string[], like: string, options: TreeOptions): Promise<void> {
  const none = '0'.repeat(like.length);
  await updateIndex(
    names.map((name) => `0 ${none}\t${name}`),
    options,
  );
}

/** Links of the index to nested repositories in whose place there is something. */
export async function filledLinks(directory: string, entries: readonly IndexEntry[]): Promise<string[]> {
  const filled: string[] = [];
  for (const { mode, name } of entries) {
    if (mode !== linkMode) continue;
    const inside = await readdir(pathOf(directory, name)).catch(() => []);
    if (inside.length > 0) filled.push(name);
  }
  return filled;
}

export function shownName(latin1: string): string {
  return JSON.stringify(Buffer.from(latin1, 'latin1').toString('utf8'));
}

export function records(text: string): string[] {
  return text.split('\0').slice(0, -1);
}

/** Without starting git where possible. */
export async function indexEntries(like: string, options: TreeOptions): Promise<readonly IndexEntry[]> {
  return (await readIndexFile(indexOf(options), like))?.entries() ?? listedEntries(options);
}

function indexOf({ env }: TreeOptions): string {
  return must(env?.['GIT_INDEX_FILE'], 'an index of ours is named');
}

async function listedEntries(options: TreeOptions): Promise<IndexEntry[]> {
  const { stdout } = await git(['ls-files', '--stage', '-z', '--full-name'], options);
  return records(stdout).map((record) => {
    const tab = record.indexOf('\t');
    const [mode = '', id = ''] = record.slice(0, tab).split(' ');
    return { mode, id, name: record.slice(tab + 1) };
  });
}

/** An uninitialised submodule is an empty directory, not a deletion. Returns whether the index was changed. */
async function restoreLinks(
  links: readonly IndexEntry[],
  taken: readonly IndexEntry[],
  workspace: string,
  options: TreeOptions,
): Promise<boolean> {
  if (links.length === 0) return false;
  const names = new Set(taken.map((entry) => entry.name));
  const lines: string[] = [];
  for (const { id, name } of links) {
    const parts = name.split('/');
    const replaced = parts.some((_, at) => names.has(parts.slice(0, at + 1).join('/')));
    if (replaced || taken.some((other) => other.name.startsWith(`${name}/`))) continue;
    const found = await lstat(pathOf(workspace, name)).catch(() => null);
    if (found?.isDirectory()) lines.push(`${linkMode} ${id}\t${name}`);
  }
  await updateIndex(lines, options);
  return lines.length > 0;
}

async function updateIndex(lines: readonly string[], options: TreeOptions): Promise<void> {
  if (lines.length === 0) return;
  const input = Buffer.from(lines.map((line) => `${line}\0`).join(''), 'latin1');
  await git(['update-index', '-z', '--index-info'], { ...options, input });
}

export function pathOf(directory: string, latin1: string): Buffer {
  return Buffer.concat([Buffer.from(`${directory}/`), Buffer.from(latin1, 'latin1')]);
}
