// The agent's files as a tree in our bare repository: our git directory and a temporary index over the agent's
// directory. Names in `.gitattributes` find no filter here. Ignored files that were never tracked are left out, and of
// a nested repository only the link to its commit is kept.

import { Buffer } from 'node:buffer';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { isFault } from '../std/fault.ts';
import { durable, type GitOptions, git } from './git.ts';
import { lastLine } from './last-line.ts';
import { ignoreAttributes, makeGitDir } from './own-git-dir.ts';
import { removePipes } from './pipes.ts';

export interface CapturePlace {
  readonly bare: string;
  readonly workspace: string;
  readonly scratch: string;
  /** What the tree is compared with: what it tracks stays tracked, even if ignored. */
  readonly parent: string;
}

export interface Captured {
  readonly tree: string;
  readonly notes: readonly string[];
}

export async function captureTree(place: CapturePlace, signal: AbortSignal): Promise<Captured> {
  const gitDir = join(place.scratch, 'capture.git');
  await makeGitDir({ path: gitDir, like: place.parent }, signal);
  await removePipes(place.workspace, signal);
  const options: GitOptions = {
    cwd: place.workspace,
    env: {
      GIT_DIR: gitDir,
      GIT_WORK_TREE: place.workspace,
      GIT_INDEX_FILE: join(place.scratch, 'index'),
      GIT_OBJECT_DIRECTORY: join(place.bare, 'objects'),
    },
    config: { ...durable, 'advice.addEmbeddedRepo': 'false' },
    signal,
    // Names come and go as the bytes they are.
    encoding: 'latin1',
    stdoutMaxBytes: listingMaxBytes,
  };
  const notes = await addAll(place, options).catch(async (error: unknown) => {
    if (!isFault(error, 'git_failed')) throw error;
    // Attributes can demand a conversion that a file does not bear.
    await ignoreAttributes(gitDir);
    return [`.gitattributes were not followed: ${error.message}`, ...(await addAll(place, options))];
  });
  const tree = (await git(['write-tree'], options)).stdout.trim();
  return { tree, notes: [...notes, ...(await nestedNotes(place.parent, tree, options))] };
}

const listingMaxBytes = 256 * 1024 * 1024;

async function addAll(place: CapturePlace, options: GitOptions): Promise<string[]> {
  await git(['read-tree', place.parent], options);
  const links = (await indexEntries(options)).filter((entry) => entry.mode === linkMode);
  // `git add` runs `git status` in every nested repository that the index knows, with the agent's configuration there.
  // One that it does not know is only read.
  await updateIndex(
    links.map(({ name }) => `0 ${zeroId(place.parent)}\t${name}`),
    options,
  );
  const added = await git(['add', '--all', '--ignore-errors'], { ...options, accept: [0, 1] });
  await restoreLinks(links, place.workspace, options);
  return added.status === 0 ? [] : [`some files could not be saved: ${lastLine(added.stderr)}`];
}

interface IndexEntry {
  readonly mode: string;
  readonly id: string;
  /** As latin1. */
  readonly name: string;
}

const linkMode = '160000';

async function indexEntries(options: GitOptions): Promise<IndexEntry[]> {
  const { stdout } = await git(['ls-files', '--stage', '-z', '--full-name'], options);
  return records(stdout).map((record) => {
    const tab = record.indexOf('\t');
    const [mode = '', id = ''] = record.slice(0, tab).split(' ');
    return { mode, id, name: record.slice(tab + 1) };
  });
}

/** A submodule that was never filled is an empty directory: not a deletion. */
async function restoreLinks(links: readonly IndexEntry[], workspace: string, options: GitOptions): Promise<void> {
  if (links.length === 0) return;
  const taken = (await indexEntries(options)).map((entry) => entry.name);
  const names = new Set(taken);
  const lines: string[] = [];
  for (const { id, name } of links) {
    const parts = name.split('/');
    const replaced = parts.some((_, at) => names.has(parts.slice(0, at + 1).join('/')));
    if (replaced || taken.some((other) => other.startsWith(`${name}/`))) continue;
    const found = await lstat(Buffer.concat([Buffer.from(`${workspace}/`), Buffer.from(name, 'latin1')])).catch(
      () => null,
    );
    if (found?.isDirectory()) lines.push(`${linkMode} ${id}\t${name}`);
  }
  await updateIndex(lines, options);
}

async function updateIndex(lines: readonly string[], options: GitOptions): Promise<void> {
  if (lines.length === 0) return;
  const input = Buffer.from(lines.map((line) => `${line}\0`).join(''), 'latin1');
  await git(['update-index', '-z', '--index-info'], { ...options, input });
}

async function nestedNotes(parent: string, tree: string, options: GitOptions): Promise<string[]> {
  const { stdout } = await git(['diff-tree', '-r', '-z', '--raw', '--no-renames', parent, tree], options);
  const fields = records(stdout);
  const names = fields.filter((_, at) => at % 2 === 1 && fields[at - 1]?.split(' ')[1] === linkMode);
  const shown = names.map((name) => JSON.stringify(Buffer.from(name, 'latin1').toString('utf8')));
  return shown.slice(0, notesMax).map((name) => `of the nested repository ${name} only a link was saved`);
}

const notesMax = 20;

function records(text: string): string[] {
  return text.split('\0').slice(0, -1);
}

function zeroId(like: string): string {
  return '0'.repeat(like.length);
}
