// Which of an agent's leftovers are worth keeping. Not those that a tool makes again from what is kept: installed packages,
// virtual environments, directories marked as a cache (CACHEDIR.TAG). They are large, are no work, and copying them costs more
// than making them. All other ignored files may be work: a `.env`, notes, a database, a build that took an hour.

import { lstat, readdir } from 'node:fs/promises';
import { pathOf } from '../commands/tree-index.ts';
import type { Leftover } from './leftovers.ts';

export interface Weighed {
  readonly workspace: string;
  /** Not worth keeping either: the user has them, or the setup makes them again. As latin1 names. */
  readonly known: ReadonlySet<string>;
}

export interface ArchiveLimits {
  readonly bytesMax: number;
  readonly filesMax: number;
}

export interface Worth {
  /** As latin1 names. */
  readonly files: string[];
  readonly kept: Leftover[];
  readonly left: string[];
  readonly disposable: string[];
}

/** Small ones first, so that one large file does not crowd out the rest. */
export async function weigh(
  { workspace, known }: Weighed,
  leftovers: readonly Leftover[],
  { bytesMax, filesMax }: ArchiveLimits,
  signal: AbortSignal,
): Promise<Worth> {
  const worth: Worth = { files: [], kept: [], left: [], disposable: [] };
  const weighed: (Weight & { leftover: Leftover })[] = [];
  for (const leftover of leftovers) {
    signal.throwIfAborted();
    const weight: Weight = { files: [], bytes: 0, disposable: [] };
    const within = await gather({ workspace, known, filesMax }, leftover.name, weight);
    worth.disposable.push(...weight.disposable);
    if (!within) worth.left.push(leftover.name);
    else if (weight.files.length > 0) weighed.push({ ...weight, leftover });
  }
  let bytes = 0;
  for (const each of weighed.sort((a, b) => a.bytes - b.bytes)) {
    if (bytes + each.bytes > bytesMax || worth.files.length + each.files.length > filesMax) {
      worth.left.push(each.leftover.name);
      continue;
    }
    bytes += each.bytes;
    worth.files.push(...each.files);
    worth.kept.push(each.leftover);
  }
  return worth;
}

interface Weight {
  readonly files: string[];
  bytes: number;
  readonly disposable: string[];
}

/** Every file and link below a name; false when there are too many. Links are taken as links. */
async function gather(
  bounds: Weighed & Pick<ArchiveLimits, 'filesMax'>,
  name: string,
  weight: Weight,
): Promise<boolean> {
  if (bounds.known.has(name)) return true;
  const path = pathOf(bounds.workspace, name);
  const found = await lstat(path).catch(() => null);
  if (found === null) return true;
  if (found.isFile() || found.isSymbolicLink()) {
    weight.files.push(name);
    weight.bytes += found.size;
    return weight.files.length <= bounds.filesMax;
  }
  if (!found.isDirectory()) return true;
  const names = (await readdir(path, { encoding: 'latin1' }).catch(() => [])) as string[];
  if (isDisposable(name, names)) {
    weight.disposable.push(name);
    return true;
  }
  for (const inner of names) if (!(await gather(bounds, `${name}/${inner}`, weight))) return false;
  return true;
}

function isDisposable(name: string, inside: readonly string[]): boolean {
  const last = name.slice(name.lastIndexOf('/') + 1);
  return disposableNames.has(last) || inside.includes('CACHEDIR.TAG') || inside.includes('pyvenv.cfg');
}

const disposableNames: ReadonlySet<string> = new Set([
  'node_modules',
  'bower_components',
  '__pycache__',
  '.gradle',
  '.tox',
]);
