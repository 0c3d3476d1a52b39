// The commits that a landing would make now, for a person to reword or sign. Moves and tests nothing, and leaves nothing in
// the user's repository.

import type { LandingPreview, LandOrder } from '../../ports/land-port.ts';
import { openLayout, projectOf } from '../commands/layout.ts';
import { withScratch } from '../commands/scratch-directories.ts';
import { inspectRepository } from '../project/user-repository.ts';
import { branchOfSteps } from './chosen-steps.ts';
import { bringTip, prepareCommits } from './landing-merge.ts';
import type { LandingsOptions } from './landing-order.ts';
import { attemptOf } from './landing-steps.ts';
import { findTarget } from './target-branch.ts';

/** null: there is nothing to show; the landing itself says why. */
export async function previewLanding(
  options: Pick<LandingsOptions, 'root' | 'user' | 'coAuthor'>,
  asked: LandOrder,
  signal: AbortSignal,
): Promise<LandingPreview | null> {
  const layout = await openLayout(options.root);
  const bare = await projectOf(layout, asked.attemptId);
  if (bare === null) return null;
  return withScratch(layout.scratch, async (scratch) => {
    const chosen = asked.steps === undefined ? asked : await branchOfSteps({ bare, scratch }, asked.steps, signal);
    if (typeof chosen === 'string') return null;
    const order = { ...asked, head: chosen.head };
    const { root } = await inspectRepository(order.repo, signal);
    const target = order.into === null ? null : await findTarget(order.repo, order.into, options.user, signal);
    if (typeof target === 'string') return null;
    if (target !== null) await bringTip(bare, target, signal);
    const place = target ?? { tip: order.base, branch: 'of its own', root };
    const prepared = await prepareCommits({ options, order, bare, scratch }, place, signal);
    if ('kind' in prepared || prepared.commits.length === 0) return null;
    const commits = prepared.commits.map(({ commit, integrations, message, text }) => {
      const last = integrations.at(-1);
      const key = last === undefined ? 'merge' : attemptOf(last);
      return { commit, key, task: last?.subject ?? null, message, text };
    });
    return { root, gitDir: bare, commit: prepared.to, commits };
  });
}
