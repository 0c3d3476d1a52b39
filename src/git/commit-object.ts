// A commit as it is stored, for whoever asks what it says of itself. Reads only.

import { type GitOptions, git } from './git.ts';
import { listingMaxBytes, records } from './tree-index.ts';

/** Where a repository is: a directory that git finds it from, or `GIT_DIR`. */
export type RepositoryPlace = Pick<GitOptions, 'cwd' | 'env'>;

export interface CommitObject {
  readonly bytes: Buffer;
  readonly tree: string;
  /** `Key: value`, each line of the last paragraph that looks like one. */
  readonly trailers: readonly { readonly key: string; readonly value: string }[];
}

/** null where there is no such commit. */
export async function readCommit(
  place: RepositoryPlace,
  id: string,
  signal: AbortSignal,
): Promise<CommitObject | null> {
  const { stdout, status } = await git(['cat-file', 'commit', id], {
    ...place,
    signal,
    encoding: 'latin1',
    accept: [0, 128],
  });
  if (status !== 0) return null;
  const bytes = Buffer.from(stdout, 'latin1');
  const text = bytes.toString('utf8');
  const tree = /^tree ([0-9a-f]+)\n/.exec(text)?.[1] ?? '';
  return { bytes, tree, trailers: trailersOf(text.slice(text.indexOf('\n\n') + 2)) };
}

function trailersOf(message: string): { key: string; value: string }[] {
  const last =
    message
      .trimEnd()
      .split(/\n{2,}/)
      .at(-1) ?? '';
  return last.split('\n').flatMap((line) => {
    const [, key, value] = /^([A-Za-z0-9-]+): (.*)$/.exec(line) ?? [];
    return key === undefined || value === undefined ? [] : [{ key, value }];
  });
}

/**
 * The commit with such a trailer that brought this one along: it holds it, and what it was merged onto does not. null where
 * none of the repository's refs leads to one.
 */
export async function broughtBy(
  place: RepositoryPlace,
  id: string,
  key: string,
  signal: AbortSignal,
): Promise<string | null> {
  const format = `--format=%H%x09%P%x09%(trailers:key=${key},valueonly,separator=%x20)%x00`;
  const which = ['--all', '--ancestry-path', '--topo-order', '--reverse', `^${id}`];
  const { stdout } = await git(['rev-list', '--no-commit-header', format, ...which], {
    ...place,
    signal,
    stdoutMaxBytes: listingMaxBytes,
  });
  // All of these hold it.
  const holding = new Set([id]);
  const bringing: string[] = [];
  for (const record of records(stdout)) {
    const [commit = '', parents = '', value = ''] = record.trim().split('\t');
    holding.add(commit);
    const [onto = ''] = parents.split(' ');
    if (value !== '' && !holding.has(onto)) bringing.push(commit);
  }
  return bringing[0] ?? null;
}
