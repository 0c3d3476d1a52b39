// The user's uncommitted state as a commit in our bare repository: tracked files as they are now, and files that are
// neither tracked nor ignored. It uses our git directory, index and objects: nothing of the user's repository is
// written, and no filter or hook of it runs.

import { copyFile, lstat, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isFault } from '../../std/fault.ts';
import { diskFault, errnoOf } from '../../std/files.ts';
import { durable, type GitOptions, git } from '../commands/git.ts';
import { linkMode } from '../commands/index-file.ts';
import { makeGitDir } from '../commands/own-git-dir.ts';
import { addTree, forget, listingMaxBytes, pathOf, records, type TreeOptions } from '../commands/tree-index.ts';
import { nestedNote, notesMax } from '../save/capture-tree.ts';
import { copyIndex } from '../workspace/checkout.ts';
import { excludesFileOf } from './user-ignore.ts';
import type { Repository } from './user-repository.ts';

export interface StatePlace {
  readonly source: Repository;
  /** Has the source's head. */
  readonly bare: string;
  readonly scratch: string;
  readonly userHome: string | null;
}

export interface UserState {
  readonly tree: string;
  readonly notes: readonly string[];
}

export async function captureUserState(place: StatePlace, signal: AbortSignal): Promise<UserState> {
  const { source, bare, scratch } = place;
  const gitDir = join(scratch, 'state.git');
  const index = join(scratch, 'index');
  await makeGitDir({ path: gitDir, like: source.head }, signal);
  await copyInfo(source.gitDir, gitDir);
  const excludes = await excludesFileOf(source.root, place.userHome, signal);
  const options: TreeOptions = {
    cwd: source.root,
    env: {
      GIT_DIR: gitDir,
      GIT_WORK_TREE: source.root,
      GIT_INDEX_FILE: index,
      GIT_OBJECT_DIRECTORY: join(bare, 'objects'),
    },
    config: {
      ...durable,
      ...(await contentConfig(source.root, signal)),
      ...(excludes === null ? {} : { 'core.excludesFile': excludes }),
      'advice.addEmbeddedRepo': 'false',
    },
    signal,
    encoding: 'latin1',
    stdoutMaxBytes: listingMaxBytes,
  };
  await seedIndex(source, index, options);
  const { notes } = await addTree(source.root, { like: source.head }, options);
  const tree = (await git(['write-tree'], options)).stdout.trim();
  const nested = (await nestedLinks(source.head, tree, options)).slice(0, notesMax);
  return { tree, notes: [...notes, ...nested.map(nestedNote)] };
}

/** The index may have begun with what is staged, so commit and tree are compared. As latin1 names. */
async function nestedLinks(parent: string, tree: string, options: TreeOptions): Promise<string[]> {
  const { stdout } = await git(['diff-tree', '-r', '-z', '--raw', '--no-renames', parent, tree], options);
  const fields = records(stdout);
  return fields.filter((_, at) => at % 2 === 1 && fields[at - 1]?.split(' ')[1] === linkMode);
}

/** The user's own index knows which files are unchanged and which are left out of a sparse checkout. */
async function seedIndex(source: Repository, index: string, options: TreeOptions): Promise<void> {
  const { stdout } = await git(['rev-parse', '--path-format=absolute', '--git-path', 'index'], {
    cwd: source.root,
    signal: options.signal,
  });
  try {
    await copyIndex(stdout.replace(/\n$/, ''), index);
    await takeStaged(source, options);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT' && !isFault(error, 'git_failed')) throw error;
    // There is none, or it is a split index and part of it is elsewhere.
    await rm(index, { force: true });
    await git(['read-tree', source.head], options);
  }
}

/** What is staged is in the user's objects only. It is read again from the files, also where it is ignored. */
async function takeStaged({ root, head }: Repository, options: TreeOptions): Promise<void> {
  const args = ['diff-index', '--cached', '--name-only', '--no-renames', '-z', head];
  const staged = records((await git(args, options)).stdout);
  if (staged.length === 0) return;
  await forget(staged, head, options);
  const there: string[] = [];
  for (const name of staged) {
    const found = await lstat(pathOf(root, name)).catch(() => null);
    if (found?.isFile() === true || found?.isSymbolicLink() === true) there.push(name);
  }
  const input = Buffer.from(there.map((name) => `${name}\0`).join(''), 'latin1');
  await git(['update-index', '--add', '-z', '--stdin'], { ...options, input });
}

/** Settings that decide what a file's content is; none of them names a program. */
async function contentConfig(cwd: string, signal: AbortSignal): Promise<Record<string, string>> {
  const keys = '^core\\.(filemode|symlinks|ignorecase|precomposeunicode|autocrlf|eol)$';
  const options: GitOptions = { cwd, signal, accept: [0, 1] };
  const { stdout } = await git(['config', '-z', '--get-regexp', keys], options);
  return Object.fromEntries(records(stdout).map((record) => record.split('\n', 2) as [string, string]));
}

async function copyInfo(from: string, to: string): Promise<void> {
  try {
    await mkdir(join(to, 'info'), { recursive: true });
    for (const name of ['exclude', 'attributes']) {
      await copyFile(join(from, 'info', name), join(to, 'info', name)).catch((error: unknown) => {
        if (errnoOf(error) !== 'ENOENT') throw error;
      });
    }
  } catch (error) {
    throw diskFault(error, to);
  }
}
