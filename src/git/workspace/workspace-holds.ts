// Holds on workspaces whose attempt has ended: a person examines one, or works in it. A hold is a file, so it outlives the
// daemon, and is released under the name it was taken with.

import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { diskFault } from '../../std/files.ts';
import { type Layout, requireId } from '../commands/layout.ts';

export async function hold(layout: Layout, attemptId: string, holder: string): Promise<void> {
  const folder = join(layout.holds, requireId(attemptId));
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(join(folder, requireId(holder)), '');
  } catch (error) {
    throw diskFault(error, folder);
  }
}

export async function letGo(layout: Layout, attemptId: string, holder: string): Promise<void> {
  await rm(join(layout.holds, requireId(attemptId), requireId(holder)), { force: true });
}

/** Holds of people who used a daemon that is gone no longer count. */
export async function sweepHolds(layout: Layout): Promise<void> {
  for (const attemptId of await readdir(layout.holds)) {
    for (const holder of await readdir(join(layout.holds, attemptId))) {
      if (holder.startsWith('look-')) await rm(join(layout.holds, attemptId, holder), { force: true });
    }
  }
}

export async function isHeld(layout: Layout, attemptId: string): Promise<boolean> {
  return (await readdir(join(layout.holds, attemptId)).catch(() => [])).length > 0;
}
