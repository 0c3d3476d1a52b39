// Which files differ between two commits, with the kind of change and the id of the content: computed by git, not reported by
// an agent.

import type { Changed, ChangedFile } from '../../ports/workspace-port.ts';
import { firstOf } from './changed-paths.ts';
import { git } from './git.ts';
import type { IndexEntry } from './index-file.ts';
import { pathText } from './path-text.ts';
import { listingMaxBytes, records } from './tree-index.ts';

/** All of them, by name. A rename is a deleted file and an added one. */
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
    const [, , , id = '', code = ''] = (fields[i] ?? '').split(' ');
    const status = statusOf[code] ?? 'modified';
    files.push({ path: pathText(fields[i + 1] ?? ''), status, blob: status === 'deleted' ? null : id });
  }
  return files;
}

/** The same between two states of an index, by name. */
export function filesBetweenEntries(before: readonly IndexEntry[], after: readonly IndexEntry[]): ChangedFile[] {
  const left = new Map(before.map((entry) => [entry.name, entry]));
  const files: (ChangedFile & { name: string })[] = [];
  for (const { name, mode, id } of after) {
    const was = left.get(name);
    left.delete(name);
    if (was?.mode === mode && was.id === id) continue;
    const isOfOtherKind = was !== undefined && was.mode.slice(0, kindDigits) !== mode.slice(0, kindDigits);
    const status = was === undefined ? 'added' : isOfOtherKind ? 'type-changed' : 'modified';
    files.push({ name, path: pathText(name), status, blob: id });
  }
  for (const name of left.keys()) files.push({ name, path: pathText(name), status: 'deleted', blob: null });
  files.sort((a, b) => (a.name < b.name ? -1 : 1));
  return files.map(({ path, status, blob }) => ({ path, status, blob }));
}

/** The digits of a mode before the permissions: file, link, or submodule. */
const kindDigits = 3;

const statusOf: Readonly<Record<string, ChangedFile['status']>> = {
  A: 'added',
  M: 'modified',
  D: 'deleted',
  T: 'type-changed',
};

export function pathsOf(files: readonly ChangedFile[]): Changed {
  return firstOf(files.map(({ path }) => path));
}
