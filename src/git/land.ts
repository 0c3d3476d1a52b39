// Lands an attempt's saved work on the branch of its run: a ref in the project's bare repository that moves forward
// only, by compare-and-swap. The same order gives the same commit, so it may be repeated after a crash at any point.

import { Fault } from '../std/fault.ts';
import { createTurns } from '../std/turns.ts';
import { commitTree, type Identity, usualIdentity, wordsOf } from './commit.ts';
import { git, isCommitId } from './git.ts';
import { branchRefOf, type Layout, openLayout, projectOf } from './layout.ts';
import { mergeCommits } from './merge.ts';
import { pathText } from './path-text.ts';
import { readRef, writeRef } from './refs.ts';
import { withScratch } from './scratch.ts';

export interface LandingsOptions {
  /** The root that the workspaces are in. */
  readonly root: string;
  /** In whose name work is merged. */
  readonly identity?: Identity;
}

export interface Landings {
  /** The branch of a run, as a ref of the bare repository. */
  ref(runId: string): string;
  land(order: LandOrder, signal: AbortSignal): Promise<LandOutcome>;
}

export interface LandOrder {
  readonly runId: string;
  readonly attemptId: string;
  /** Where the run's branch is by the record: before anything has landed, the commit that the run starts from. */
  readonly head: string;
  /** The saved work. */
  readonly commit: string;
  /** What the attempt started from. */
  readonly base: string;
  readonly title: string;
  /** Milliseconds since the epoch, from the record. */
  readonly at: number;
}

export type LandOutcome =
  | { readonly kind: 'landed'; readonly head: string }
  /** Nothing has changed. At most so many paths are listed. */
  | { readonly kind: 'conflict'; readonly paths: readonly string[]; readonly pathsTotal: number };

export function createLandings({ root, identity = usualIdentity }: LandingsOptions): Landings {
  const takeTurns = createTurns();
  return {
    ref: branchRefOf,
    land: async (order, signal) => {
      const ref = branchRefOf(order.runId);
      for (const id of [order.head, order.commit, order.base]) {
        if (!isCommitId(id)) throw new Fault('bad_request', `${JSON.stringify(id)} is not the id of a commit`);
      }
      return takeTurns(ref, () => land(root, identity, ref, order, signal));
    },
  };
}

async function land(
  root: string,
  identity: Identity,
  ref: string,
  order: LandOrder,
  signal: AbortSignal,
): Promise<LandOutcome> {
  signal.throwIfAborted();
  const layout = await openLayout(root);
  const bare = await projectOf(layout, order.attemptId);
  if (bare === null) throw new Fault('git_failed', `attempt ${order.attemptId} has no saved work to land`);
  const now = await readRef(bare, ref, signal);
  // Before a crash, maybe by another version of git that merges a little differently.
  if (now !== null && now !== order.head && (await isMergeOf(bare, now, order, signal))) return landedAt(now);
  const next = await nextHead(layout, bare, identity, order, signal);
  if (typeof next !== 'string') return next;
  if (now !== null && now !== next && now !== order.head) {
    throw new Fault('git_failed', `${ref} of ${bare} is at ${now}, where only ${order.head} or ${next} can be`);
  }
  await writeRef(bare, ref, { from: now, to: next }, signal);
  return landedAt(next);
}

function landedAt(head: string): LandOutcome {
  return { kind: 'landed', head };
}

async function nextHead(
  layout: Layout,
  bare: string,
  identity: Identity,
  order: LandOrder,
  signal: AbortSignal,
): Promise<string | Extract<LandOutcome, { kind: 'conflict' }>> {
  const { head, commit, base } = order;
  const shared = await sharedBy(bare, head, commit, signal);
  if (commit === base || shared === commit) return head;
  if (head === base || shared === head) return commit;
  return withScratch(layout.scratch, async (scratch) => {
    const merged = await mergeCommits({ bare, scratch, ours: head, theirs: commit }, signal);
    if (merged.kind === 'merged') {
      return commitTree({ bare, tree: merged.tree, ...wordsOf(order, 'Merge: ') }, [head, commit], identity, signal);
    }
    const paths = merged.names.slice(0, pathsMax).map(pathText);
    return { kind: 'conflict', paths, pathsTotal: merged.names.length };
  });
}

/** How many paths a conflict lists. */
const pathsMax = 100;

/** What both build on; it is one of them where that is part of the other. Refuses what is no commit of the repository. */
async function sharedBy(bare: string, head: string, commit: string, signal: AbortSignal): Promise<string> {
  return (await git(['merge-base', head, commit], { env: { GIT_DIR: bare }, signal, accept: [0, 1] })).stdout.trim();
}

async function isMergeOf(
  bare: string,
  merge: string,
  { head, commit }: LandOrder,
  signal: AbortSignal,
): Promise<boolean> {
  const { stdout } = await git(['rev-parse', `${merge}^@`], { env: { GIT_DIR: bare }, signal });
  return stdout === `${head}\n${commit}\n`;
}
