// The agent's files as a tree in our bare repository: our git directory and a temporary index over the agent's
// directory. Names in `.gitattributes` find no filter here. What a tree cannot hold is named, for the archive: ignored
// files that were never tracked, files over the limit, and of a nested repository all but the link to its commit.

import { join } from 'node:path';
import { isFault } from '../std/fault.ts';
import { copyIndex } from './checkout.ts';
import { durable, git } from './git.ts';
import { findLarge, findLeftovers, type Leftover } from './leftovers.ts';
import { ignoreAttributes, makeGitDir } from './own-git-dir.ts';
import type { Seed } from './seed.ts';
import { addTree, filledLinks, listingMaxBytes, nestedLinks, shownName, type TreeOptions } from './tree-index.ts';

export interface CapturePlace {
  readonly bare: string;
  readonly workspace: string;
  readonly scratch: string;
  /** What the tree is compared with: what it tracks stays tracked, even if ignored. */
  readonly parent: string;
  readonly fileMaxBytes: number;
  readonly seed: Seed | null;
}

export interface Captured {
  readonly tree: string;
  readonly leftovers: readonly Leftover[];
  readonly notes: readonly string[];
}

export async function captureTree(place: CapturePlace, signal: AbortSignal): Promise<Captured> {
  const gitDir = join(place.scratch, 'capture.git');
  await makeGitDir({ path: gitDir, like: place.parent }, signal);
  const options: TreeOptions = {
    cwd: place.workspace,
    env: {
      GIT_DIR: gitDir,
      GIT_WORK_TREE: place.workspace,
      GIT_INDEX_FILE: join(place.scratch, 'index'),
      GIT_OBJECT_DIRECTORY: join(place.bare, 'objects'),
    },
    config: { ...durable, 'advice.addEmbeddedRepo': 'false' },
    signal,
    encoding: 'latin1',
    stdoutMaxBytes: listingMaxBytes,
  };
  const large = await findLarge(place.workspace, place.fileMaxBytes, signal);
  const notes = await addAll(place, large, options).catch(async (error: unknown) => {
    if (!isFault(error, 'git_failed')) throw error;
    // Attributes can demand a conversion that a file does not bear.
    await ignoreAttributes(gitDir);
    return [`.gitattributes were not followed: ${error.message}`, ...(await addAll(place, large, options))];
  });
  const tree = (await git(['write-tree'], options)).stdout.trim();
  const links = await filledLinks(place.workspace, options);
  const leftovers = await findLeftovers({ large, links }, options);
  return { tree, leftovers, notes: [...notes, ...(await nestedNotes(place.parent, tree, options))] };
}

async function addAll(
  { workspace, parent, scratch, seed }: CapturePlace,
  large: readonly string[],
  options: TreeOptions,
): Promise<string[]> {
  if (seed !== null) await copyIndex(seed.index, join(scratch, 'index'));
  // Keeps what is known of the files that the parent has alike; where the agent committed another, nothing is known.
  await git(['read-tree', ...(seed === null ? [] : ['-i', '-m']), parent], options);
  return addTree(workspace, { like: parent, without: large, doubted: seed?.touched ?? [] }, options);
}

export async function nestedNotes(parent: string, tree: string, options: TreeOptions): Promise<string[]> {
  const names = (await nestedLinks(parent, tree, options)).slice(0, notesMax);
  return names.map((name) => `of the nested repository ${shownName(name)} only a link was saved`);
}

const notesMax = 20;
