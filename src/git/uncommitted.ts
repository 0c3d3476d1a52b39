// What an agent left without a commit, which was then saved for it: how much, and the sentence that says so.

import { pathsBetween } from './changed-paths.ts';
import { git } from './git.ts';

export interface Uncommitted {
  /** How many paths. */
  readonly uncommitted: number;
  /** Only where it committed other things itself: otherwise to save its files is the usual course. */
  readonly notes: readonly string[];
}

export async function countUncommitted(
  { bare, base, head, commit }: { bare: string; base: string; head: string | null; commit: string },
  /** What the commit changes since the base. */
  changed: readonly string[],
  signal: AbortSignal,
): Promise<Uncommitted> {
  if (head === null || head === base) return { uncommitted: changed.length, notes: [] };
  const { length } = await pathsBetween(bare, head, commit, signal);
  const words = length === 1 ? 'one path was' : `${length} paths were`;
  return {
    uncommitted: length,
    notes: length === 0 ? [] : [`${words} not in the agent's own commits and saved for it`],
  };
}

/** By the saved commit alone: the last one is ours if it says so, and its parent is then the agent's last or the base. */
export async function uncommittedInSaved(
  bare: string,
  { attemptId, commit }: { attemptId: string; commit: string },
  signal: AbortSignal,
): Promise<number> {
  const args = ['log', '-1', '--no-show-signature', '--format=%P%n%B', commit];
  const [parents = '', ...message] = (await git(args, { env: { GIT_DIR: bare }, signal })).stdout.trim().split('\n');
  const parent = parents.split(' ')[0] ?? '';
  if (parent === '' || message.at(-1) !== `Signalbox-Attempt: ${attemptId}`) return 0;
  return (await pathsBetween(bare, parent, commit, signal)).length;
}
