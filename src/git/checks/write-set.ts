// Whether work stayed within the paths it was given: by what differs between two commits, not by what anybody says.

import type { WriteSet } from '../../ports/proof-port.ts';
import { globFits, parseGlob } from '../../std/path-glob.ts';
import { pathsBetween } from '../commands/changed-paths.ts';

export async function proveWriteSet(
  { bare, base, commit, writeSet }: { bare: string; base: string; commit: string; writeSet: WriteSet },
  signal: AbortSignal,
): Promise<{ check: string; passed: boolean; detail: string }> {
  const globs = writeSet.globs.map(parseGlob);
  const changed = await pathsBetween(bare, base, commit, signal);
  const outside = changed.filter((path) => !globs.some((glob) => globFits(glob, path)));
  const more = outside.length > shownMax ? ` and ${outside.length - shownMax} more` : '';
  const detail =
    outside.length === 0
      ? 'it changed nothing else'
      : `it changed ${outside.slice(0, shownMax).join(', ')}${more}, and may change ${writeSet.globs.join(', ') || 'nothing'}`;
  return { check: writeSet.proof, passed: outside.length === 0, detail };
}

const shownMax = 10;
