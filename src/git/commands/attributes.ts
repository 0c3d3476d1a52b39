// The attribute files of a commit, for a merge without a checkout. In a bare repository git ignores the attributes of a
// tree, and `merge=union` would be a conflict; so git gets a work tree with these files, as a checkout would have them.
// A merge driver they name is built into git or does not exist: drivers are configuration, and the bare repository,
// which no agent can write, has none.

import { Buffer } from 'node:buffer';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { diskFault } from '../../std/files.ts';
import { type GitOptions, git, isCommitId } from './git.ts';
import { listingMaxBytes, records, type TreeOptions } from './tree-index.ts';

/** Lines for an index, names as latin1. */
type Attributes = readonly string[];

type Place = Pick<GitOptions, 'env'>;

async function attributesOf(commit: string, place: Place, signal: AbortSignal): Promise<Attributes> {
  const { stdout } = await git(['ls-tree', '-r', '-z', '--full-tree', commit], {
    ...place,
    signal,
    encoding: 'latin1',
    stdoutMaxBytes: listingMaxBytes,
  });
  return records(stdout).filter((entry) => /^100(644|755) .*[\t/]\.gitattributes$/s.test(entry));
}

/** The commits whose attribute files differ from the base's. */
export async function withOtherAttributes(
  pairs: readonly { readonly commit: string; readonly base: string }[],
  place: Place,
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const args = ['diff-tree', '--stdin', '-r', '-z', '--name-only', '--no-renames', '--', ':(glob)**/.gitattributes'];
  const input = pairs.map(({ commit, base }) => `${commit} ${base}\n`).join('');
  const { stdout } = await git(args, { ...place, input, signal, encoding: 'latin1', stdoutMaxBytes: listingMaxBytes });
  // Each commit that differs is listed before its files.
  return new Set(records(stdout).filter(isCommitId));
}

export interface AttributePlaces {
  /** How to run git with the attributes of this commit. */
  at(commit: string): Promise<TreeOptions>;
  /** Declares that a commit has the same attributes as another, so they need not be read. */
  alike(commit: string, other: string): void;
}

export function createAttributePlaces(scratch: string, place: Place, signal: AbortSignal): AttributePlaces {
  const known = new Map<string, Attributes>();
  const places = new Map<string, TreeOptions>();
  return {
    async at(commit) {
      const attributes = known.get(commit) ?? (await attributesOf(commit, place, signal));
      known.set(commit, attributes);
      const text = attributes.map((entry) => `${entry}\0`).join('');
      const there = places.get(text);
      if (there !== undefined) return there;
      const options = await layOut(join(scratch, `attributes-${places.size}`), text, place, signal);
      places.set(text, options);
      return options;
    },
    alike(commit, other) {
      const attributes = known.get(other);
      if (attributes !== undefined) known.set(commit, attributes);
    },
  };
}

async function layOut(workTree: string, text: string, { env }: Place, signal: AbortSignal): Promise<TreeOptions> {
  await mkdir(workTree).catch((error: unknown) => {
    throw diskFault(error, workTree);
  });
  const options: TreeOptions = {
    cwd: workTree,
    env: { ...env, GIT_WORK_TREE: workTree, GIT_INDEX_FILE: `${workTree}.index` },
    signal,
    encoding: 'latin1',
    stdoutMaxBytes: listingMaxBytes,
  };
  if (text === '') return options;
  await git(['update-index', '-z', '--index-info'], { ...options, input: Buffer.from(text, 'latin1') });
  await git(['checkout-index', '--all', '--force'], options);
  return options;
}
