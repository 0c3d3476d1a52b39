// Whether work stayed within the paths it was given: by what differs between two commits, not by what anybody says.

import { globFits, parseGlob } from '../std/path-glob.ts';
import { git } from './git.ts';

export interface WriteSet {
  /** What the proof is called. */
  readonly proof: string;
  readonly globs: readonly string[];
}

export async function proveWriteSet(
  { bare, base, commit, writeSet }: { bare: string; base: string; commit: string; writeSet: WriteSet },
  signal: AbortSignal,
): Promise<{ check: string; passed: boolean; detail: string }> {
  // Renames as what they are: a path that is gone and one that is new.
  const args = ['diff-tree', '-r', '-z', '--name-only', '--no-renames', base, commit];
  const { stdout } = await git(args, { env: { GIT_DIR: bare }, signal });
  const globs = writeSet.globs.map(parseGlob);
  const outside = stdout.split('\0').filter((path) => path !== '' && !globs.some((glob) => globFits(glob, path)));
  const more = outside.length > shownMax ? ` and ${outside.length - shownMax} more` : '';
  const detail =
    outside.length === 0
      ? 'it changed nothing else'
      : `it changed ${outside.slice(0, shownMax).join(', ')}${more}, and may change ${writeSet.globs.join(', ') || 'nothing'}`;
  return { check: writeSet.proof, passed: outside.length === 0, detail };
}

const shownMax = 10;
