// Directories that last as long as one piece of work. What a crash leaves is removed at the next start. An orphaned git
// may still write there, but nothing of it is ever used: no name is given twice.

import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { diskFault } from '../../std/files.ts';

export async function withScratch<T>(parent: string, use: (path: string) => Promise<T>): Promise<T> {
  const path = await mkdtemp(join(parent, 'use-')).catch((error: unknown) => {
    throw diskFault(error, parent);
  });
  try {
    return await use(path);
  } finally {
    await removeTree(path);
  }
}

/** Only the sole user of the directory may call it, before using it. */
export async function sweepScratch(parent: string): Promise<void> {
  for (const name of await readdir(parent)) await removeTree(join(parent, name));
}

/** Best effort: the next sweep removes the rest. */
export async function removeTree(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true });
  } catch {
    // Some tools write-protect their directories.
    await unlock(path);
    await rm(path, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
  }
}

/** A failed removal goes on in the background for a while, so any file here may vanish. */
async function unlock(directory: string): Promise<void> {
  await chmod(directory, 0o700).catch(() => undefined);
  for (const entry of await readdir(directory, { withFileTypes: true }).catch(() => [])) {
    if (entry.isDirectory()) await unlock(join(directory, entry.name));
  }
}
