// Files of the machine's configuration that only their owner may read. Where root runs Signalbox, its agents could read
// all of them, so they are hidden: agents see what any user may see.

import { join } from 'node:path';
import type { Mount } from './mounts.ts';
import { entriesIn, entryAt } from './path-look.ts';

/** Blanks for everything below `root` that other users cannot read. Looked at again when a directory has changed. */
export function createPrivateFiles(root: string): () => readonly Mount[] {
  let last: Survey | null = null;
  return () => {
    if (last === null || !isCurrent(last)) last = survey(root);
    return last.mounts;
  };
}

interface Survey {
  readonly mounts: Mount[];
  /** Changes with every name in it. */
  readonly changedAt: Map<string, number>;
}

const readableByOthers = 0o004;
const openToOthers = 0o005;

function survey(root: string): Survey {
  const found: Survey = { mounts: [], changedAt: new Map() };
  const folders = [root];
  for (const folder of folders) {
    const seen = entryAt(folder);
    if (seen === null) continue;
    found.changedAt.set(folder, seen.mtimeMs);
    for (const listed of entriesIn(folder)) {
      // A link is shown as its target, which is examined where it is. Half of /etc is links.
      if (listed.isSymbolicLink()) continue;
      const path = join(folder, listed.name);
      const entry = entryAt(path);
      if (entry?.isDirectory()) {
        if ((entry.mode & openToOthers) === openToOthers) folders.push(path);
        else found.mounts.push({ kind: 'empty', path });
      } else if (entry?.isFile() && (entry.mode & readableByOthers) === 0) {
        found.mounts.push({ kind: 'blank', path });
      }
    }
  }
  return found;
}

function isCurrent({ changedAt }: Survey): boolean {
  for (const [folder, mtimeMs] of changedAt) if (entryAt(folder)?.mtimeMs !== mtimeMs) return false;
  return true;
}
