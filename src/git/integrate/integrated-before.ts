// Finds on the branch what an earlier try of the same integration did before it was interrupted: every integration is a
// merge of the branch so far and the work.

import { Fault } from '../../std/fault.ts';
import { git } from '../commands/git.ts';
import type { Joinable, Tip } from './merge-work.ts';

export interface IntegratedBefore<Work extends Joinable> {
  /** Where the branch is. */
  readonly tip: Tip<Work>;
  readonly integrated: ReadonlyMap<Work, { readonly commit: string; readonly tree: string }>;
}

export interface LookOrder<Work extends Joinable> {
  readonly bare: string;
  readonly ref: string;
  /** Where the ref is, which is not `head`. */
  readonly at: string;
  readonly head: string;
  readonly works: readonly Work[];
}

/** A branch that is anywhere else was moved by another program, which is only reported. */
export async function integratedBefore<Work extends Joinable>(
  { bare, ref, at, head, works }: LookOrder<Work>,
  signal: AbortSignal,
): Promise<IntegratedBefore<Work>> {
  const steps = await stepsTo(bare, at, works.length, signal);
  const integrated = new Map<Work, { commit: string; tree: string }>();
  let [below, left] = [head, works];
  const start = steps.findIndex(({ parents }) => parents[0] === head);
  for (const { commit, tree, parents } of start < 0 ? [] : steps.slice(start)) {
    const work = left.find((each) => each.commit === parents[1]);
    if (work === undefined || parents.length !== 2 || parents[0] !== below) break;
    integrated.set(work, { commit, tree });
    left = left.slice(left.indexOf(work) + 1);
    below = commit;
  }
  const tree = steps.at(-1)?.tree ?? '';
  if (below === at) return { tip: { commit: at, tree, works: [...integrated.keys()] }, integrated };
  const expected = `neither at ${head} nor at an integration on top of it`;
  throw new Fault('git_failed', `${ref} of ${bare} is at ${at}, ${expected}: something else has moved it`);
}

interface Step {
  readonly commit: string;
  readonly tree: string;
  readonly parents: readonly string[];
}

/** The last so many, the oldest first; none where it is no commit. */
async function stepsTo(bare: string, at: string, count: number, signal: AbortSignal): Promise<Step[]> {
  const args = ['rev-list', '--first-parent', '--reverse', `--max-count=${count}`, '--no-commit-header'];
  const { stdout } = await git([...args, '--format=%H %T %P', at, '--'], {
    env: { GIT_DIR: bare },
    signal,
    // What a ref names may be missing, or no commit.
    accept: [0, 128],
  });
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [commit = '', tree = '', ...parents] = line.split(' ');
      return { commit, tree, parents };
    });
}
