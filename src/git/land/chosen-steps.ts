// A branch with only some of the steps of a run's branch, which lands when a person names a task. Each step is applied again on
// the steps chosen before it, by a three-way merge from where it was made. The same choice gives the same commits.

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { LandStep } from '../../ports/land-port.ts';
import { createAttributePlaces } from '../commands/attributes.ts';
import { usualIdentity } from '../commands/create-commit.ts';
import { git } from '../commands/git.ts';
import { mergeCommits } from '../commands/merge.ts';
import { pathText } from '../commands/path-text.ts';
import { openQuarantine } from '../commands/quarantine.ts';
import { mergeCommit } from '../integrate/integration-commit.ts';
import { readTree } from '../integrate/merge-work.ts';
import type { Trial } from './landing-order.ts';

/** Its head, or a sentence that says why these steps need others. */
export async function branchOfSteps(
  { bare, scratch: beside }: Pick<Trial, 'bare' | 'scratch'>,
  { base, steps }: { readonly base: string; readonly steps: readonly LandStep[] },
  signal: AbortSignal,
): Promise<{ readonly head: string } | string> {
  // A directory of its own: the merge with the user's branch uses the one beside it.
  const scratch = join(beside, 'chosen');
  await mkdir(scratch);
  const quarantine = await openQuarantine({ bare, scratch, like: base });
  const places = createAttributePlaces(scratch, quarantine, signal);
  let [head, tree] = [base, await readTree(bare, base, signal)];
  for (const { from, to, task, chosen } of steps) {
    if (!chosen) continue;
    const now = head;
    if (from === now) {
      [head, tree] = [to, await readTree(bare, to, signal)];
      continue;
    }
    const made = { parents: [now], ...(await wordsOf(bare, to, signal)) };
    // Stands for the steps chosen so far, as if they had been made where the step was.
    const standIn = await quarantine.commit(mergeCommit({ ...made, tree, parents: [from] }, usualIdentity, null));
    const merged = await mergeCommits(standIn, to, await places.at(now));
    if (merged.kind === 'conflict') return whyNot(bare, { task, names: merged.names, from }, steps, signal);
    if (merged.tree === tree) continue;
    tree = merged.tree;
    head = await quarantine.commit(mergeCommit({ ...made, tree }, usualIdentity, null));
  }
  await quarantine.release();
  return { head };
}

/** Those of the step itself: the same choice gives the same commits, whenever it is made. */
async function wordsOf(bare: string, commit: string, signal: AbortSignal): Promise<{ message: string; at: number }> {
  const { stdout } = await git(['show', '-s', '--format=%ct%n%B', commit], { env: { GIT_DIR: bare }, signal });
  const end = stdout.indexOf('\n');
  return { at: Number(stdout.slice(0, end)) * 1000, message: `${stdout.slice(end + 1).trimEnd()}\n` };
}

/** Names the tasks whose work it builds on. */
async function whyNot(
  bare: string,
  { task, names, from }: { readonly task: string; readonly names: readonly string[]; readonly from: string },
  steps: readonly LandStep[],
  signal: AbortSignal,
): Promise<string> {
  const before = steps.slice(
    0,
    steps.findIndex((step) => step.from === from),
  );
  const builtOn = new Set<string>();
  for (const step of before.filter(({ chosen }) => !chosen)) {
    const args = ['diff-tree', '-r', '-z', '--no-renames', '--name-only', step.from, step.to];
    const { stdout } = await git(args, { env: { GIT_DIR: bare }, signal, encoding: 'latin1' });
    if (stdout.split('\0').some((name) => names.includes(name))) builtOn.add(step.task);
  }
  const where = names.slice(0, namesMax).map(pathText).join(', ');
  const whose = [...builtOn].map((name) => `"${name}"`).join(', ') || 'other tasks';
  return `the work of "${task}" builds on that of ${whose} (in ${where}), which would not land with it: land the whole run`;
}

const namesMax = 5;
