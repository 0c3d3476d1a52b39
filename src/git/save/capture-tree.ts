// Saves the agent's files as a tree in our bare repository, with our git directory and a temporary index over the
// agent's directory. Filters named in `.gitattributes` do not exist here. What a tree cannot hold is listed for the
// archive: ignored files that were never tracked, files over the limit, and the content of nested repositories.

import { join } from 'node:path';
import type { ChangedFile } from '../../ports/workspace-port.ts';
import { isFault } from '../../std/fault.ts';
import { filesBetweenEntries } from '../commands/changed-files.ts';
import { durable, git } from '../commands/git.ts';
import { linkMode } from '../commands/index-file.ts';
import { ignoreAttributes, makeGitDir } from '../commands/own-git-dir.ts';
import {
  type Added,
  addTree,
  filledLinks,
  listingMaxBytes,
  shownName,
  type TreeOptions,
} from '../commands/tree-index.ts';
import { copyIndex } from '../workspace/checkout.ts';
import type { Seed } from '../workspace/known-files.ts';
import { findLeftovers, type Leftover } from './leftovers.ts';

export interface CapturePlace {
  readonly bare: string;
  readonly workspace: string;
  readonly scratch: string;
  /** The commit that the tree is compared with: its files stay tracked, even if ignored. */
  readonly parent: string;
  /** What the workspace was a checkout of. */
  readonly base: string;
  /** Files over the limit, as latin1 names. */
  readonly large: readonly string[];
  readonly seed: Seed | null;
}

export interface Captured {
  /** null: the same tree as the parent's. */
  readonly tree: string | null;
  /** What differs from the parent. */
  readonly changed: readonly ChangedFile[];
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
  const added = await addAll(place, options).catch(async (error: unknown) => {
    if (!isFault(error, 'git_failed')) throw error;
    // Attributes can demand a conversion that fails for a file.
    await ignoreAttributes(gitDir);
    const again = await addAll(place, options);
    return { ...again, notes: [`.gitattributes were not followed: ${error.message}`, ...again.notes] };
  });
  const changed = filesBetweenEntries(added.before, added.after);
  const tree = changed.length === 0 ? null : (await git(['write-tree'], options)).stdout.trim();
  const links = await filledLinks(place.workspace, added.after);
  const leftovers = await findLeftovers({ large: place.large, links }, options);
  return { tree, changed, leftovers, notes: [...added.notes, ...nestedNotes(added)] };
}

async function addAll(
  { workspace, parent, base, scratch, seed, large }: CapturePlace,
  options: TreeOptions,
): Promise<Added> {
  if (seed !== null) await copyIndex(seed.index, join(scratch, 'index'));
  // Keeps what is known of the files that the parent shares; if the agent made commits, nothing is known.
  if (seed === null || parent !== base) {
    await git(['read-tree', ...(seed === null ? [] : ['-i', '-m']), parent], options);
  }
  return addTree(workspace, { like: parent, without: large, doubted: seed?.touched ?? [] }, options);
}

function nestedNotes({ before, after }: Added): string[] {
  const had = new Set(before.filter(({ mode }) => mode === linkMode).map(({ id, name }) => `${id} ${name}`));
  const links = after.filter(({ mode, id, name }) => mode === linkMode && !had.has(`${id} ${name}`));
  return links.slice(0, notesMax).map(({ name }) => nestedNote(name));
}

/** `name`: as latin1. */
export function nestedNote(name: string): string {
  return `of the nested repository ${shownName(name)} only a link was saved`;
}

export const notesMax = 20;
