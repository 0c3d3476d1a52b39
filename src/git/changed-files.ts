// Which files differ between two commits, with what became of each and the id of its content: what work comes to, by git
// rather than by anybody's word.

import { type ChangedPaths, firstOf } from './changed-paths.ts';
import { git } from './git.ts';
import { pathText } from './path-text.ts';
import { listingMaxBytes, records } from './tree-index.ts';

export interface ChangedFile {
  /** As text. */
  readonly path: string;
  readonly status: 'added' | 'modified' | 'deleted' | 'type-changed';
  /** Of its content; null = it is gone. */
  readonly blob: string | null;
}

/** All of them, by name. Renames as what they are: a file that is gone and one that is new. */
export async function filesBetween(
  bare: string,
  from: string,
  to: string,
  signal: AbortSignal,
): Promise<ChangedFile[]> {
  if (from === to) return [];
  const { stdout } = await git(['diff-tree', '-r', '-z', '--no-abbrev', '--no-renames', from, to], {
    env: { GIT_DIR: bare },
    signal,
    encoding: 'latin1',
    stdoutMaxBytes: listingMaxBytes,
  });
  const fields = records(stdout);
  const files: ChangedFile[] = [];
  // `:<mode> <mode> <id> <id> <status>`, then the name.
  for (let i = 0; i + 1 < fields.length; i += 2) {
    const [, , , id = '', letter = ''] = (fields[i] ?? '').split(' ');
    const status = statusOf[letter] ?? 'modified';
    files.push({ path: pathText(fields[i + 1] ?? ''), status, blob: status === 'deleted' ? null : id });
  }
  return files;
}

const statusOf: Readonly<Record<string, ChangedFile['status']>> = {
  A: 'added',
  M: 'modified',
  D: 'deleted',
  T: 'type-changed',
};

export function pathsOf(files: readonly ChangedFile[]): ChangedPaths {
  return firstOf(files.map(({ path }) => path));
}
