// What was integrated on a branch since a commit, by the branch's own commits.

import { Buffer } from 'node:buffer';
import { git } from '../commands/git.ts';
import type { Quarantine } from '../commands/quarantine.ts';
import { listingMaxBytes } from '../commands/tree-index.ts';
import { attemptKey } from './integration-commit.ts';

export interface Landing {
  readonly commit: string;
  readonly tree: string;
  /** The attempt whose work it brought; null if it does not say. */
  readonly attemptId: string | null;
}

export interface SinceOrder {
  readonly base: string;
  readonly tip: string;
  /** Only what touched one of these, as latin1. */
  readonly names?: readonly string[];
}

/** The oldest first. */
export async function integratedSince(
  { base, tip, names }: SinceOrder,
  { env }: Pick<Quarantine, 'env'>,
  signal: AbortSignal,
): Promise<Landing[]> {
  const format = `%H %T %(trailers:key=${attemptKey},valueonly,separator=%x20)`;
  // Paths are read by lines.
  const paths = names?.filter((name) => !name.includes('\n')).map((name) => `:(top,literal)${name}\n`) ?? [];
  if (names !== undefined && paths.length === 0) return [];
  const input = [`${tip}\n`, `^${base}\n`, ...(paths.length === 0 ? [] : ['--\n', ...paths])].join('');
  const args = ['rev-list', '--first-parent', '--reverse', '--no-commit-header', `--format=${format}`, '--stdin'];
  const { stdout } = await git(args, {
    env,
    input: Buffer.from(input, 'latin1'),
    signal,
    stdoutMaxBytes: listingMaxBytes,
  });
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [commit = '', tree = '', attemptId = ''] = line.split(' ');
      return { commit, tree, attemptId: attemptId === '' ? null : attemptId };
    });
}
