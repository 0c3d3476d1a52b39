// The commits that the user's branch will move to: created and tested in a repository of ours, and kept there.

import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import type { LandOrder, LandResult } from '../../ports/land-port.ts';
import type { EvidenceItem } from '../../ports/proof-port.ts';
import { defined } from '../../std/defined.ts';
import { createAttributePlaces } from '../commands/attributes.ts';
import { git, isCommitId } from '../commands/git.ts';
import { requireId } from '../commands/layout.ts';
import { type Merged, mergeCommits } from '../commands/merge.ts';
import { pathText } from '../commands/path-text.ts';
import { openQuarantine, type Quarantine } from '../commands/quarantine.ts';
import { readRef, writeRef } from '../commands/refs.ts';
import { fetchOnly } from '../project/project.ts';
import { commitText, personAt } from './commit-text.ts';
import { type CommitsPlace, type LandedCommit, landingCommits, readTip, type Tip } from './landing-commits.ts';
import { mergeMessage, taskMessage, workedAt } from './landing-messages.ts';
import { ended, type Making, refused, type Trial } from './landing-order.ts';
import { readSteps } from './landing-steps.ts';
import { isPartOf } from './move-branch.ts';
import { asSigned } from './signed-copies.ts';
import type { Target } from './target-branch.ts';
import { readIdentity } from './user-identity.ts';

/** Fetches the commit of the user's branch into our repository. */
export async function bringTip(bare: string, { root, tip }: Target, signal: AbortSignal): Promise<void> {
  await git([...fetchOnly, root, tip], { env: { GIT_DIR: bare }, config: { 'protocol.version': '2' }, signal });
}

export interface Prepared {
  /** Where the branch will move; its present tip if it has all of the work. */
  readonly to: string;
  /** The oldest first. */
  readonly commits: readonly LandedCommit[];
}

/** `target`: the branch and its tip; for a landing on a branch of its own, the start of the run. */
export async function prepareCommits(
  trial: Making,
  target: Pick<Target, 'tip' | 'branch' | 'root'>,
  signal: AbortSignal,
): Promise<Prepared | LandResult> {
  const { bare, order, options } = trial;
  // One landing may call this several times.
  const scratch = await mkdtemp(join(trial.scratch, 'commits-'));
  const { tip: tipId, branch, root } = target;
  const { head, base: baseId } = order;
  const shared = await git(['merge-base', tipId, head], { env: { GIT_DIR: bare }, signal, accept: [0, 1] });
  if (shared.status !== 0) return refused(`branch ${branch} of ${root} and the run have no history in common`);
  const quarantine = await openQuarantine({ bare, scratch, like: tipId });
  const [tip, base] = [
    await readTip({ GIT_DIR: bare }, tipId, signal),
    await readTip({ GIT_DIR: bare }, baseId, signal),
  ];
  const before = await landedBefore(trial, tipId, signal);
  const merge = await openMerges({ quarantine, scratch, tip, before }, signal);
  const merged = await merge.withTip(head);
  if (merged.kind === 'conflict') {
    const paths = merged.names.slice(0, pathsMax).map(pathText);
    return ended({ kind: 'conflict', branch, paths, commit: tipId });
  }
  const user = await readIdentity(root, options.user, signal);
  if (typeof user === 'string') return refused(user);
  const all = await readSteps(bare, { base: baseId, head }, signal);
  const has = async (commit: string): Promise<boolean> => {
    for (const each of [tipId, ...before]) if (await isPartOf(bare, commit, each, signal)) return true;
    return false;
  };
  const steps: typeof all = [];
  for (const step of all) if (!(await has(step.commit))) steps.push(step);
  const place: CommitsPlace = {
    quarantine,
    mergedWith: async (commit) => treeOf(await merge.withTip(commit)),
    applied: async (change, onto) => treeOf(await merge.apply(change, onto)),
    message: (integrations) => taskMessage(trial, integrations),
    mergeMessage: (commits) => mergeMessage(trial, commits),
    workedAt: (integration) => workedAt(trial, integration),
  };
  const {
    history: { commits: style },
  } = order;
  const [hasBase, isBehind] = [await has(baseId), await isPartOf(bare, tipId, baseId, signal)];
  const known = { style, tip, base, hasBase, isBehind, steps, all, merged: merged.tree, user };
  const commits = steps.length === 0 || merged.tree === tip.tree ? [] : await landingCommits(known, place);
  await quarantine.release();
  return asSigned(trial, root, { to: commits.at(-1)?.commit ?? tipId, commits }, signal);
}

/** How many paths a conflict lists. */
const pathsMax = 100;

function treeOf(merged: Merged): string | null {
  return merged.kind === 'merged' ? merged.tree : null;
}

interface Merges {
  /** The user's branch with the run's work up to a commit. */
  withTip(commit: string): Promise<Merged>;
  /** The change that a commit made to its parent, made to another tree. */
  apply(change: { readonly commit: string; readonly parent: string }, onto: string): Promise<Merged>;
}

/**
 * Work that landed as other commits is not in the history that git looks at: so the tip is presented to git as a merge of the
 * branch and of the part of the run that it has.
 */
async function openMerges(
  {
    quarantine,
    scratch,
    tip,
    before,
  }: { quarantine: Quarantine; scratch: string; tip: Tip; before: readonly string[] },
  signal: AbortSignal,
): Promise<Merges> {
  const standIn = async (tree: string, parents: readonly string[]): Promise<string> => {
    const who = personAt({ name: 'Signalbox', email: 'signalbox@localhost' }, tip.at);
    return quarantine.commit(commitText({ tree, parents, author: who, committer: who, message: 'For a merge\n' }));
  };
  const at = await createAttributePlaces(scratch, quarantine, signal).at(tip.commit);
  const ours = before.length === 0 ? tip.commit : await standIn(tip.tree, [tip.commit, ...before]);
  return {
    withTip: (commit) => mergeCommits(ours, commit, at),
    apply: async ({ commit, parent }, onto) => mergeCommits(await standIn(onto, [parent]), commit, at),
  };
}

/** Where the run's branch was at its earlier landings in this history. */
async function landedBefore({ bare, order }: Making, tip: string, signal: AbortSignal): Promise<string[]> {
  const args = [
    'for-each-ref',
    '--format=%(refname) %(objectname)',
    `refs/signalbox-landing/${requireId(order.runId)}`,
  ];
  const { stdout } = await git(args, { env: { GIT_DIR: bare }, signal });
  const refs = new Map(stdout.split('\n').map((line) => line.split(' ') as [string, string]));
  const heads = new Set<string>();
  for (const [ref, head] of refs) {
    const landed = refs.get(ref.replace(/\/head$/, '/to'));
    if (!ref.endsWith('/head') || landed === undefined || !isCommitId(head)) continue;
    if (await isPartOf(bare, landed, tip, signal)) heads.add(head);
  }
  return [...heads];
}

/** Whether the branch has all of the run's work, as it is or as other commits. */
export async function hasLanded(trial: Trial, tip: string, signal: AbortSignal): Promise<boolean> {
  const { bare, order } = trial;
  for (const each of [tip, ...(await landedBefore(trial, tip, signal))]) {
    if (await isPartOf(bare, order.head, each, signal)) return true;
  }
  return false;
}

/** Checks that failed before the landing was asked for are run again; those that passed are not. */
export async function testCommit(trial: Trial, commit: string, signal: AbortSignal): Promise<readonly EvidenceItem[]> {
  const { bare, order, options } = trial;
  const { checks, sandboxed, usualSetup, at: failuresSince } = order;
  return options.checks.run({ bare, commit, checks, sandboxed, failuresSince, ...defined({ usualSetup }) }, signal);
}

/** The intended move of the branch from one commit to another. A repeated try reads it again. */
export interface Kept {
  readonly from: string | null;
  readonly to: string | null;
}

/** Also where the run's branch was: only this tells what has landed as other commits. */
export async function keep({ bare, order }: Trial, kept: Kept, signal: AbortSignal): Promise<void> {
  const all = { head: order.head, ...kept };
  for (const end of ['head', 'from', 'to'] as const) {
    const ref = keptRef(order, end);
    const commit = all[end];
    if (commit !== null) await writeRef(bare, ref, { from: await readRef(bare, ref, signal), to: commit }, signal);
  }
}

export async function readKept({ bare, order }: Trial, signal: AbortSignal): Promise<Kept> {
  return {
    from: await readRef(bare, keptRef(order, 'from'), signal),
    to: await readRef(bare, keptRef(order, 'to'), signal),
  };
}

/** All commits that landings of the run intended to move a branch to. */
export async function keptTips(bare: string, runId: string, signal: AbortSignal): Promise<ReadonlySet<string>> {
  const args = ['for-each-ref', '--format=%(objectname)', `refs/signalbox-landing/${requireId(runId)}/*/to`];
  const { stdout } = await git(args, { env: { GIT_DIR: bare }, signal });
  return new Set(stdout.split('\n').filter((line) => line !== ''));
}

export function keptRef({ runId, n }: LandOrder, end: keyof Kept | 'head' | 'start'): string {
  return `refs/signalbox-landing/${requireId(runId)}/${n}/${end}`;
}
