// Removes the branches that Signalbox made in the user's repository for a run, once the run's work has landed. A branch that
// holds anything else, or is checked out, stays.

import { git } from '../commands/git.ts';
import { gitAsUser } from '../commands/git-as-user.ts';
import { keptTips } from './landing-merge.ts';
import type { Trial } from './landing-order.ts';
import { isCheckedOut, isPartOf } from './move-branch.ts';

/** `landed`: commits whose whole history has landed. */
export async function removeOwnBranches(
  trial: Trial,
  root: string,
  landed: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const { bare, order, options } = trial;
  const prefixes = ['refs/heads/signalbox-run/', `refs/heads/signalbox/${order.name}/`];
  const args = ['for-each-ref', '--format=%(objectname) %(refname)', ...prefixes];
  const { stdout } = await git(args, { cwd: root, signal });
  const kept = await keptTips(bare, order.runId, signal);
  for (const line of stdout.split('\n').filter((each) => each !== '')) {
    const space = line.indexOf(' ');
    const [tip, ref] = [line.slice(0, space), line.slice(space + 1)];
    if (!kept.has(tip) && !(await isPartOfAny(bare, tip, landed, signal))) continue;
    if (await isCheckedOut(root, ref, signal)) continue;
    // If it was moved meanwhile, or a hook refuses, it stays.
    await gitAsUser(['update-ref', '--no-deref', '-d', ref, tip], { cwd: root, user: options.user, signal });
  }
}

async function isPartOfAny(bare: string, commit: string, of: readonly string[], signal: AbortSignal): Promise<boolean> {
  for (const each of of) if (await isPartOf(bare, commit, each, signal)) return true;
  return false;
}
