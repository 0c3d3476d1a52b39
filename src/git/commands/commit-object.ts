// Reads a commit as it is stored.

import { type GitOptions, git, isCommitId } from './git.ts';
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
  return (await readCommits(place, [id], signal)).get(id) ?? null;
}

/** The existing ones, by the full ids that were given. */
export async function readCommits(
  place: RepositoryPlace,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, CommitObject>> {
  const found = new Map<string, CommitObject>();
  for (let at = 0; at < ids.length; at += readAtOnce) {
    const asked = ids.slice(at, at + readAtOnce).filter(isCommitId);
    const { stdout } = await git(['cat-file', '--batch'], {
      ...place,
      signal,
      input: asked.map((id) => `${id}\n`).join(''),
      encoding: 'latin1',
      stdoutMaxBytes: listingMaxBytes,
      // Where there is no repository there are no commits.
      accept: [0, 128],
    });
    for (const [id, object] of commitsIn(stdout)) found.set(id, object);
  }
  return found;
}

const readAtOnce = 1_000;

/** Each is a line with id, kind and size, then its bytes and a line break; a missing object is a single line. */
function* commitsIn(latin1: string): Generator<[string, CommitObject]> {
  for (let at = 0; at < latin1.length; ) {
    const end = latin1.indexOf('\n', at);
    const [id = '', kind, size] = latin1.slice(at, end).split(' ');
    at = end + 1;
    if (size === undefined) continue;
    const bytes = Buffer.from(latin1.slice(at, at + Number(size)), 'latin1');
    at += Number(size) + 1;
    if (kind === 'commit') yield [id, objectOf(bytes)];
  }
}

function objectOf(bytes: Buffer): CommitObject {
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
 * The commit with such a trailer that merged this one: it contains it, and its first parent does not. null: no ref of the
 * repository leads to one.
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
