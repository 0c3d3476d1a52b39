// The disk space of kept check results, and removing those that were not used for a long time: a check can be run again.

import { lstat, readdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { diskFault, errnoOf } from '../../std/files.ts';

/** Results and their logs, grouped by age. */
export interface CheckShare {
  readonly count: number;
  readonly bytes: number;
  readonly files: readonly string[];
}

export interface CheckShares {
  /** Not used since the given time. */
  readonly old: CheckShare;
  readonly used: CheckShare;
}

/** A log whose result was replaced is as old as the newest of its key. */
export async function shareChecks(folder: string, since: number): Promise<CheckShares> {
  const all = new Map<string, { bytes: number; last: number; files: string[] }>();
  for (const name of await readdir(folder)) {
    const found = await lstat(join(folder, name)).catch(() => null);
    if (found === null) continue;
    const key = name.split('.', 1)[0] ?? name;
    const before = all.get(key) ?? { bytes: 0, last: 0, files: [] };
    before.files.push(name);
    all.set(key, { ...before, bytes: before.bytes + found.size, last: Math.max(before.last, found.mtimeMs) });
  }
  const share = (results: readonly { bytes: number; files: string[] }[]): CheckShare => ({
    count: results.length,
    bytes: results.reduce((sum, { bytes }) => sum + bytes, 0),
    files: results.flatMap(({ files }) => files),
  });
  const results = [...all.values()];
  return {
    old: share(results.filter(({ last }) => last < since)),
    used: share(results.filter(({ last }) => last >= since)),
  };
}

export async function removeChecks(folder: string, { files }: CheckShare): Promise<void> {
  for (const name of files) {
    await unlink(join(folder, name)).catch((error: unknown) => {
      if (errnoOf(error) !== 'ENOENT') throw diskFault(error, folder);
    });
  }
}
