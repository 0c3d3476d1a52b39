// The commits by which work lands: one per task, in the order of integration and in the user's name, and a merge of them if
// wanted or needed. Whatever the style, the last tree is that of git's merge of the branch and the run's whole work; only that
// tree is tested and landed. The same order on the same tip gives the same commits.

import type { CommitStyle } from '../../ports/land-port.ts';
import { assert, must } from '../../std/assert.ts';
import type { Identity } from '../commands/create-commit.ts';
import { git } from '../commands/git.ts';
import type { Quarantine } from '../commands/quarantine.ts';
import { commitText, type Person, personAt } from './commit-text.ts';
import type { Integration, OwnCommit, Step } from './landing-steps.ts';

export interface LandedCommit {
  readonly commit: string;
  readonly tree: string;
  readonly parents: readonly string[];
  /** The integrations in it; none: it is the merge. */
  readonly integrations: readonly Integration[];
  /** As it is in the commit. */
  readonly message: string;
  /** Its text; null: it is an agent's own, as it was. */
  readonly text: string | null;
}

export interface CommitsOrder {
  readonly style: CommitStyle;
  /** Where the user's branch is. */
  readonly tip: Tip;
  /** Where the run began. */
  readonly base: Tip;
  /** Whether the branch contains the commit that the run started from, or that commit contains the branch. */
  readonly hasBase: boolean;
  readonly isBehind: boolean;
  /** The steps of the run's branch that the user's does not have, the oldest first; not empty. */
  readonly steps: readonly Step[];
  /** All steps of the run's branch. */
  readonly all: readonly Step[];
  /** The tree of the merge of both. */
  readonly merged: string;
  readonly user: Identity;
}

export interface Tip {
  readonly commit: string;
  readonly tree: string;
  /** Seconds since the epoch. */
  readonly at: number;
}

export interface CommitsPlace {
  readonly quarantine: Quarantine;
  /** The tree of the user's branch with the run's work up to this commit; null: they conflict. */
  mergedWith(commit: string): Promise<string | null>;
  /** The tree of one commit's change made to another tree; null: it does not apply. */
  applied(change: { readonly commit: string; readonly parent: string }, to: string): Promise<string | null>;
  message(integrations: readonly Integration[]): string;
  mergeMessage(commits: readonly LandedCommit[]): string;
  /** When the work was verified, in seconds. */
  workedAt(integration: Integration): number;
}

/** None if the branch has all of it. */
export async function landingCommits(order: CommitsOrder, place: CommitsPlace): Promise<LandedCommit[]> {
  const { style, tip, base, merged, steps, user } = order;
  // Commits of the user's that the branch does not have are left as they are: the work stays on top of them, and lands by a
  // merge.
  if (style !== 'merge' && order.hasBase) {
    const chain = await chainOn(tip, steps, { style, user }, place, async (step) => {
      if (step === steps.at(-1)) return merged;
      return tip.commit === base.commit ? step.tree : place.mergedWith(step.commit);
    });
    return requireTree(chain, tip.tree, merged);
  }
  const chain = await chainOn(base, order.all, { style, user }, place, async ({ tree }) => tree);
  const top = chain.at(-1);
  if (top === undefined || (style !== 'merge' && order.isBehind)) return requireTree(chain, tip.tree, merged);
  const message = place.mergeMessage(chain);
  const at = Math.max(tip.at, ...order.all.flatMap(({ integrations }) => integrations.map(place.workedAt)));
  const who = personAt(user, at);
  const parents = [tip.commit, top.commit];
  const text = commitText({ tree: merged, parents, author: who, committer: who, message });
  const commit = await place.quarantine.commit(text);
  return [...chain, { commit, tree: merged, parents, integrations: [], message, text }];
}

function requireTree(chain: LandedCommit[], before: string, merged: string): LandedCommit[] {
  const last = chain.at(-1)?.tree ?? before;
  assert(last === merged, `the last commit has tree ${last}, the merge has ${merged}`);
  return chain;
}

/** `treeAfter`: null if the step does not apply without the next. */
async function chainOn(
  onto: Tip,
  steps: readonly Step[],
  { style, user }: Pick<CommitsOrder, 'style' | 'user'>,
  place: CommitsPlace,
  treeAfter: (step: Step) => Promise<string | null>,
): Promise<LandedCommit[]> {
  const chain: LandedCommit[] = [];
  // A step that does not apply alone becomes part of the next commit.
  let waiting: Step[] = [];
  let now = onto;
  for (const step of steps) {
    const tree = await treeAfter(step);
    waiting.push(step);
    if (tree === null) continue;
    // Otherwise the branch has had this change already.
    if (tree !== now.tree) {
      const integrations = waiting.flatMap((each) => each.integrations);
      const made = await makeCommits(style, { now, tree, integrations, user }, place);
      chain.push(...made);
      const at = Math.max(now.at, ...integrations.map(place.workedAt));
      now = { commit: must(made.at(-1), 'at least one').commit, tree, at };
    }
    waiting = [];
  }
  return chain;
}

interface Piece {
  readonly now: Tip;
  readonly tree: string;
  readonly integrations: readonly Integration[];
  readonly user: Identity;
}

async function makeCommits(style: CommitStyle, piece: Piece, place: CommitsPlace): Promise<LandedCommit[]> {
  const own = piece.integrations.flatMap((each) => each.own);
  return style === 'keep' && own.length > 0 ? ownCommits(piece, own, place) : [await squashed(piece, place)];
}

async function squashed({ now, tree, integrations, user }: Piece, place: CommitsPlace): Promise<LandedCommit> {
  const worked = Math.max(...integrations.map(place.workedAt));
  const message = place.message(integrations);
  const parents = [now.commit];
  const committer = personAt(user, Math.max(worked, now.at));
  const text = commitText({ tree, parents, author: personAt(user, worked), committer, message });
  return { commit: await place.quarantine.commit(text), tree, parents, integrations, message, text };
}

/** The agents' own commits one after the other; the last one has the whole tree. */
async function ownCommits(
  { now, tree, integrations, user }: Piece,
  own: readonly OwnCommit[],
  place: CommitsPlace,
): Promise<LandedCommit[]> {
  const worked = Math.max(now.at, ...integrations.map(place.workedAt));
  const chain: LandedCommit[] = [];
  let [commit, at] = [now.commit, now.tree];
  for (const each of own) {
    const isLast = each === own.at(-1);
    const after = isLast ? tree : await treeOf(each, at, place);
    // A commit that does not apply, or changes nothing here, is part of a later one.
    if (after === null || (after === at && !isLast)) continue;
    if (each.parent === commit && after === each.tree && !each.isSaved) {
      const { message } = each;
      chain.push({ commit: each.commit, tree: after, parents: [commit], integrations, message, text: null });
    } else {
      const message = each.isSaved ? place.message(integrations) : `${each.message.trimEnd()}\n`;
      const who = personAt(user, worked);
      const author: Person = each.isSaved ? who : (each.author as Person);
      const parents = [commit];
      const text = commitText({ tree: after, parents, author, committer: who, message });
      chain.push({ commit: await place.quarantine.commit(text), tree: after, parents, integrations, message, text });
    }
    commit = must(chain.at(-1), 'just made').commit;
    at = after;
  }
  return chain;
}

async function treeOf({ commit, parent }: OwnCommit, onto: string, place: CommitsPlace): Promise<string | null> {
  return parent === null ? null : place.applied({ commit, parent }, onto);
}

export async function readTip(
  env: Readonly<Record<string, string>>,
  commit: string,
  signal: AbortSignal,
): Promise<Tip> {
  const { stdout } = await git(['show', '-s', '--format=%T %ct', commit], { env, signal });
  const [tree = '', at = ''] = stdout.trim().split(' ');
  return { commit, tree, at: Number(at) };
}
