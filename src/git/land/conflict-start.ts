// Where the agent that resolves a conflict with the user's branch starts: a merge of both with the branch's own version of
// every file in conflict. The commit has both in its history, so work on it merges with either.

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { LandResult } from '../../ports/land-port.ts';
import { createAttributePlaces } from '../commands/attributes.ts';
import { usualIdentity } from '../commands/create-commit.ts';
import { git } from '../commands/git.ts';
import { mergeCommits } from '../commands/merge.ts';
import { pathText } from '../commands/path-text.ts';
import { notDurable, openQuarantine, type Quarantine } from '../commands/quarantine.ts';
import { readRef, writeRef } from '../commands/refs.ts';
import { records } from '../commands/tree-index.ts';
import { integratedSince } from '../integrate/integrated-since.ts';
import { mergeCommit } from '../integrate/integration-commit.ts';
import { keptRef } from './landing-merge.ts';
import { ended, type Trial } from './landing-order.ts';
import type { Target } from './target-branch.ts';

/** Adds to a conflict where its resolver starts; any other result stays as it is. */
export async function withStart(
  trial: Trial,
  target: Target,
  result: LandResult,
  signal: AbortSignal,
): Promise<LandResult> {
  if (result.kind !== 'ended' || result.outcome.kind !== 'conflict') return result;
  return ended({ ...result.outcome, ...(await conflictStart(trial, target, signal)) });
}

interface ConflictStart {
  readonly start: string;
  readonly pathsTotal: number;
  /** The attempts whose work is in conflict, in the order in which it was integrated. */
  readonly with: readonly string[];
}

/** null: it cannot be made, for example if a file of one side is a directory of the other. */
async function conflictStart(
  trial: Trial,
  { tip, branch }: Target,
  signal: AbortSignal,
): Promise<ConflictStart | null> {
  const { bare, order } = trial;
  // A directory of its own: a merge was tried beside it.
  const scratch = join(trial.scratch, 'start');
  await mkdir(scratch);
  const quarantine = await openQuarantine({ bare, scratch, like: tip });
  const merged = await mergeCommits(tip, order.head, await createAttributePlaces(scratch, quarantine, signal).at(tip));
  if (merged.kind !== 'conflict') return null;
  const { names } = merged;
  const tree = await withSideOf(quarantine, { tree: merged.tree, tip, names, index: join(scratch, 'index') }, signal);
  if (!(await isMadeOf(quarantine, tree, [tip, order.head], signal))) return null;
  const message = `Merge ${branch} for the agent that resolves its conflicts\n\n${names.map(pathText).join('\n')}\n`;
  const parents = [order.head, tip];
  const start = await quarantine.commit(mergeCommit({ tree, parents, at: order.at, message }, usualIdentity, null));
  await quarantine.release();
  const ref = keptRef(order, 'start');
  await writeRef(bare, ref, { from: await readRef(bare, ref, signal), to: start }, signal);
  const { stdout } = await git(['merge-base', tip, order.head], { env: { GIT_DIR: bare }, signal });
  const steps = await integratedSince({ base: stdout.trim(), tip: order.head, names }, quarantine, signal);
  const attempts = new Set(steps.flatMap(({ attemptId }) => attemptId ?? []));
  return { start, pathsTotal: names.length, with: [...attempts].slice(-othersMax) };
}

const othersMax = 100;

/** The tree with these names as the tip has them. */
async function withSideOf(
  { env }: Quarantine,
  { tree, tip, names, index }: { tree: string; tip: string; names: readonly string[]; index: string },
  signal: AbortSignal,
): Promise<string> {
  const options = { env: { ...env, GIT_INDEX_FILE: index }, config: notDurable, signal, encoding: 'latin1' } as const;
  await git(['read-tree', tree], options);
  const listed = await git(['ls-tree', '-r', '-z', '--full-tree', tip, '--', ...names], options);
  const own = records(listed.stdout).map((entry) => entry.replace(/^(\d+) \w+ (\w+)\t/, '$1 $2\t'));
  const gone = names.map((name) => `0 ${'0'.repeat(tip.length)}\t${name}`);
  const input = Buffer.from([...gone, ...own].map((line) => `${line}\0`).join(''), 'latin1');
  await git(['update-index', '-z', '--index-info'], { ...options, input });
  return (await git(['write-tree'], options)).stdout.trim();
}

/** If names clash, git invents new ones. */
async function isMadeOf(
  { env }: Quarantine,
  tree: string,
  [tip = '', head = '']: readonly string[],
  signal: AbortSignal,
): Promise<boolean> {
  const added = async (from: string): Promise<string[]> => {
    const args = ['diff-tree', '-r', '-z', '--no-renames', '--diff-filter=A', '--name-only', from, tree];
    return records((await git(args, { env, signal, encoding: 'latin1' })).stdout);
  };
  const beyondTip = new Set(await added(tip));
  return !(await added(head)).some((name) => beyondTip.has(name));
}
