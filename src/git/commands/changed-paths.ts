// Which paths differ between two commits: computed by git, not reported by an agent.

import type { Changed } from '../../ports/workspace-port.ts';
import { git } from './git.ts';
import { pathText } from './path-text.ts';
import { listingMaxBytes, records } from './tree-index.ts';

export const nothingChanged: Changed = { paths: [], total: 0 };

/** All paths that differ between two commits, as text. A rename is a deleted path and an added one. */
export async function pathsBetween(bare: string, from: string, to: string, signal: AbortSignal): Promise<string[]> {
  if (from === to) return [];
  const { stdout } = await git(['diff-tree', '-r', '-z', '--name-only', '--no-renames', from, to], {
    env: { GIT_DIR: bare },
    signal,
    encoding: 'latin1',
    stdoutMaxBytes: listingMaxBytes,
  });
  return records(stdout).map(pathText);
}

/** The first by name. */
export function firstOf(paths: readonly string[]): Changed {
  return { paths: [...paths].sort().slice(0, listedMax), total: paths.length };
}

const listedMax = 50;
