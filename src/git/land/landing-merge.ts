// The commit that the user's branch is to move to: created and tested in a repository of ours, and kept there.

import type { LandOrder, LandResult } from '../../ports/land-port.ts';
import type { EvidenceItem } from '../../ports/proof-port.ts';
import { defined } from '../../std/defined.ts';
import { createAttributePlaces } from '../commands/attributes.ts';
import { usualIdentity } from '../commands/create-commit.ts';
import { git } from '../commands/git.ts';
import { requireId } from '../commands/layout.ts';
import { mergeCommits } from '../commands/merge.ts';
import { pathText } from '../commands/path-text.ts';
import { openQuarantine } from '../commands/quarantine.ts';
import { readRef, writeRef } from '../commands/refs.ts';
import { mergeCommit, withTrailers } from '../integrate/integration-commit.ts';
import { fetchOnly } from '../project/project.ts';
import { ended, refused, type Trial } from './landing-order.ts';
import { isPartOf } from './move-branch.ts';
import type { Target } from './target-branch.ts';

/** Fetches the commit of the user's branch into our repository. */
export async function bringTip(bare: string, { root, tip }: Target, signal: AbortSignal): Promise<void> {
  await git([...fetchOnly, root, tip], { env: { GIT_DIR: bare }, config: { 'protocol.version': '2' }, signal });
}

/**
 * The run's own commit where it contains the branch already, else a merge of ours. The same order gives the same
 * commit.
 */
export async function mergeInto(trial: Trial, target: Target, signal: AbortSignal): Promise<string | LandResult> {
  const { bare, scratch, order, options } = trial;
  const { tip, branch, root } = target;
  const { head } = order;
  if (await isPartOf(bare, tip, head, signal)) return head;
  const shared = await git(['merge-base', tip, head], { env: { GIT_DIR: bare }, signal, accept: [0, 1] });
  if (shared.status !== 0) return refused(`branch ${branch} of ${root} and the run have no history in common`);
  const quarantine = await openQuarantine({ bare, scratch, like: tip });
  const at = await createAttributePlaces(scratch, quarantine, signal).at(tip);
  const merged = await mergeCommits(tip, head, at);
  if (merged.kind === 'conflict') {
    const paths = merged.names.slice(0, pathsMax).map(pathText);
    return ended({ kind: 'conflict', branch, paths, commit: tip });
  }
  const { identity = usualIdentity, sign = null } = options;
  const subject = `Merge: ${order.name.replaceAll(/[\0\n]/g, ' ').trim() || order.runId}`;
  const message = withTrailers(subject, order.trailers);
  const parents = [tip, head];
  const commit = await quarantine.commit(
    mergeCommit({ tree: merged.tree, parents, at: order.at, message }, identity, sign),
  );
  await quarantine.release();
  return commit;
}

/** How many paths a conflict lists. */
const pathsMax = 100;

/** Checks that failed before the landing was asked for are run again; those that passed are known. */
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

export async function keep({ bare, order }: Trial, kept: Kept, signal: AbortSignal): Promise<void> {
  for (const end of ['from', 'to'] as const) {
    const ref = keptRef(order, end);
    const commit = kept[end];
    if (commit !== null) await writeRef(bare, ref, { from: await readRef(bare, ref, signal), to: commit }, signal);
  }
}

export async function readKept({ bare, order }: Trial, signal: AbortSignal): Promise<Kept> {
  return {
    from: await readRef(bare, keptRef(order, 'from'), signal),
    to: await readRef(bare, keptRef(order, 'to'), signal),
  };
}

/** Every commit that a landing of the run was to move a branch to. */
export async function keptTips(bare: string, runId: string, signal: AbortSignal): Promise<ReadonlySet<string>> {
  const args = ['for-each-ref', '--format=%(objectname)', `refs/signalbox-landing/${requireId(runId)}/*/to`];
  const { stdout } = await git(args, { env: { GIT_DIR: bare }, signal });
  return new Set(stdout.split('\n').filter((line) => line !== ''));
}

export function keptRef({ runId, n }: LandOrder, end: keyof Kept): string {
  return `refs/signalbox-landing/${requireId(runId)}/${n}/${end}`;
}
