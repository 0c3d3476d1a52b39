// The commits that works add to the branch. They are read once for all works; they show whether a work contains another
// one, or started from another commit than its attempt did.

import { git, isCommitId } from '../commands/git.ts';
import { listingMaxBytes } from '../commands/tree-index.ts';

export interface NewCommits {
  has(commit: string): boolean;
  /** null: it is not one of them. */
  treeOf(commit: string): string | null;
  /** This one and all that is new below it. */
  below(commit: string): ReadonlySet<string>;
  /** Where what is new below this one meets the branch; an empty text stands for a beginning of its own. */
  rootsOf(commit: string): ReadonlySet<string>;
}

/** Throws where it is not a commit of the repository. */
export async function readNewCommits(
  bare: string,
  head: string,
  commits: readonly string[],
  signal: AbortSignal,
): Promise<NewCommits> {
  const input = [...commits.map((commit) => `${commit}^{commit}`), `^${head}^{commit}`].map((line) => `${line}\n`);
  const { stdout } = await git(['rev-list', '--no-commit-header', '--format=%H %T %P', '--stdin'], {
    env: { GIT_DIR: bare },
    input: input.join(''),
    signal,
    stdoutMaxBytes: listingMaxBytes,
  });
  const found = new Map<string, { readonly tree: string; readonly parents: readonly string[] }>();
  for (const line of stdout.split('\n')) {
    const [id = '', tree = '', ...parents] = line.split(' ');
    if (isCommitId(id)) found.set(id, { tree, parents: parents.filter(isCommitId) });
  }
  const known = new Map<string, ReadonlySet<string>>();
  const below = (commit: string): ReadonlySet<string> => {
    const seen =
      known.get(commit) ?? walk(commit, (each) => found.get(each)?.parents.filter((id) => found.has(id)) ?? []);
    known.set(commit, seen);
    return seen;
  };
  return {
    has: (commit) => found.has(commit),
    treeOf: (commit) => found.get(commit)?.tree ?? null,
    below,
    rootsOf(commit) {
      const roots = new Set<string>();
      for (const each of below(commit)) {
        const { parents } = found.get(each) ?? { parents: [] };
        if (parents.length === 0) roots.add('');
        for (const parent of parents) if (!found.has(parent)) roots.add(parent);
      }
      return roots;
    },
  };
}

function walk(from: string, next: (id: string) => readonly string[]): Set<string> {
  const seen = new Set<string>();
  const left = [from];
  for (let id = left.pop(); id !== undefined; id = left.pop()) {
    if (seen.has(id)) continue;
    seen.add(id);
    left.push(...next(id));
  }
  return seen;
}
