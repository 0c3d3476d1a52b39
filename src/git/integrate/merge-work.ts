// Merges a work onto a tip of the branch, with one commit of ours. The same work on the same tip gives the same commit.

import type { Trailer } from '../../ports/integration-port.ts';
import { createAttributePlaces, withOtherAttributes } from '../commands/attributes.ts';
import type { Identity } from '../commands/create-commit.ts';
import { git } from '../commands/git.ts';
import { createMemory } from '../commands/memoize-by-commit.ts';
import { type Merged, mergeCommits } from '../commands/merge.ts';
import type { Quarantine } from '../commands/quarantine.ts';
import { integrationCommit, type Sign } from './integration-commit.ts';
import { type NewCommits, readNewCommits } from './new-commits.ts';

export interface Joinable {
  readonly attemptId: string;
  /** The saved work. */
  readonly commit: string;
  /** What the attempt started from. */
  readonly base: string;
  readonly title: string;
  /** Milliseconds since the epoch, from the journal. */
  readonly at: number;
  readonly trailers: readonly Trailer[];
}

/** A commit that the branch has, or might move to. */
export interface Tip<Work extends Joinable> {
  readonly commit: string;
  readonly tree: string;
  /** The works merged onto the head to make it. */
  readonly works: readonly Work[];
}

export type Joined<Work extends Joinable> = { readonly kind: 'joined'; readonly tip: Tip<Work> } | Conflict;

export interface Joiner<Work extends Joinable> {
  join(tip: Tip<Work>, work: Work): Promise<Joined<Work>>;
}

export interface JoinPlace<Work extends Joinable> {
  readonly bare: string;
  readonly scratch: string;
  readonly quarantine: Quarantine;
  readonly head: string;
  /** All works that may be merged. */
  readonly works: readonly Work[];
  readonly identity: Identity;
  readonly sign: Sign | null;
}

export async function openJoiner<Work extends Joinable>(
  place: JoinPlace<Work>,
  signal: AbortSignal,
): Promise<Joiner<Work>> {
  const { bare, scratch, head, quarantine, works, identity, sign } = place;
  const ids = works.map(({ commit }) => commit);
  const commits = await readNewCommits(bare, head, ids, signal);
  const places = createAttributePlaces(scratch, quarantine, signal);
  const plain = works.filter((work) => isPlain(commits, work));
  // With a single work its attributes are not needed afterwards.
  const others = works.length < 2 ? new Set(ids) : await withOtherAttributes(plain, quarantine, signal);
  const known = createMemory<Integrated>();

  const merge = async (tip: Tip<Work>, work: Work, source: string): Promise<Merged> => {
    // Without other changes there is nothing to merge.
    if (tip.commit === work.base) return { kind: 'merged', tree: await treeOf(bare, commits, work.commit, signal) };
    return mergeCommits(tip.commit, source, await places.at(tip.commit));
  };
  const integrate = async (tip: Tip<Work>, work: Work, source: string): Promise<Integrated> => {
    const merged = await merge(tip, work, source);
    if (merged.kind === 'conflict') return merged;
    const { tree } = merged;
    const text = integrationCommit({ ...work, tree, parents: [tip.commit, work.commit] }, identity, sign);
    const commit = await quarantine.commit(text);
    if (plain.includes(work) && !others.has(work.commit)) places.alike(commit, tip.commit);
    return { kind: 'integrated', tree, commit };
  };
  return {
    async join(tip, work) {
      const joined = [...tip.works, work];
      const source = await sourceOf(place, commits, work, signal);
      if (source === work.commit && isThere(commits, tip, work)) {
        return { kind: 'joined', tip: { ...tip, works: joined } };
      }
      const integrated = await known([tip.commit, work.attemptId, work.commit], () => integrate(tip, work, source));
      if (integrated.kind === 'conflict') return integrated;
      return { kind: 'joined', tip: { commit: integrated.commit, tree: integrated.tree, works: joined } };
    },
  };
}

type Conflict = Extract<Merged, { kind: 'conflict' }>;
type Integrated = Conflict | { readonly kind: 'integrated'; readonly commit: string; readonly tree: string };

/** Whether it adds only commits made from its base. */
function isPlain(commits: NewCommits, { commit, base }: Joinable): boolean {
  const roots = commits.rootsOf(commit);
  return commits.has(commit) && roots.size === 1 && roots.has(base);
}

/** Whether the tip contains it already. */
function isThere<Work extends Joinable>(commits: NewCommits, tip: Tip<Work>, { commit }: Work): boolean {
  return !commits.has(commit) || tip.works.some((other) => commits.below(other.commit).has(commit));
}

/**
 * What git merges. If a work does not have its base in its history, because it was reset behind it or started a new history,
 * git would not see what it removed: then the same tree, made from the base in one step, is merged instead.
 */
async function sourceOf<Work extends Joinable>(
  { bare, quarantine, identity }: JoinPlace<Work>,
  commits: NewCommits,
  work: Work,
  signal: AbortSignal,
): Promise<string> {
  const { commit, base } = work;
  if (commit === base || isPlain(commits, work)) return commit;
  const args = ['merge-base', '--is-ancestor', base, commit];
  const { status } = await git(args, { env: { GIT_DIR: bare }, signal, accept: [0, 1] });
  if (status === 0) return commit;
  const tree = await treeOf(bare, commits, commit, signal);
  return quarantine.commit(integrationCommit({ ...work, tree, parents: [base] }, identity, null));
}

async function treeOf(bare: string, commits: NewCommits, commit: string, signal: AbortSignal): Promise<string> {
  return commits.treeOf(commit) ?? readTree(bare, commit, signal);
}

/** Throws where it is not a commit of the repository. */
export async function readTree(bare: string, commit: string, signal: AbortSignal): Promise<string> {
  const args = ['rev-parse', '--verify', `${commit}^{commit}^{tree}`];
  return (await git(args, { env: { GIT_DIR: bare }, signal })).stdout.trim();
}
