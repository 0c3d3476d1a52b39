// What an agent left without a commit, which was then saved for it: how much, and the sentence that says so.

import { pathsBetween } from '../commands/changed-paths.ts';
import { git } from '../commands/git.ts';

export interface Uncommitted {
  /** How many paths. */
  readonly uncommitted: number;
  /** Only where it committed other things itself: otherwise to save its files is the usual course. */
  readonly notes: readonly string[];
}

/** `count`: how many paths the saved commit changes of what the agent itself committed last, or else of its base. */
export function uncommittedOf(count: number, { base, head }: { base: string; head: string | null }): Uncommitted {
  const words = count === 1 ? 'one path was' : `${count} paths were`;
  const notes = [`${words} not in the agent's own commits and saved for it`];
  return { uncommitted: count, notes: count === 0 || head === null || head === base ? [] : notes };
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
