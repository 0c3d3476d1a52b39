// Lists what a commit cannot hold of a directory: ignored files, nested repositories, files over the limit. Found by
// name only, with our git directory and index; leftovers-to-keep.ts decides what is worth keeping.

import { trustedPath } from '../../process/confine.ts';
import { git } from '../commands/git.ts';
import { runChild } from '../commands/run-process.ts';
import { records, type TreeOptions } from '../commands/tree-index.ts';

export type LeftoverKind = 'ignored' | 'nested' | 'large' | 'unsaved';

export interface Leftover {
  readonly kind: LeftoverKind;
  /** As latin1, without a slash at its end. */
  readonly name: string;
}

/** Call it when the index holds what the commit will contain. */
export async function findLeftovers(
  { large, links }: { readonly large: readonly string[]; readonly links: readonly string[] },
  options: TreeOptions,
): Promise<Leftover[]> {
  const list = async (...flags: string[]): Promise<string[]> => {
    const args = ['ls-files', '--others', '--directory', '--no-empty-directory', '-z', ...flags];
    return records((await git(args, options)).stdout).map((name) => name.replace(/\/$/, ''));
  };
  const all = await list();
  const ignored = new Set(all.length === 0 ? [] : await list('--ignored', '--exclude-standard'));
  const known = new Set([...large, ...links]);
  // Where only part of a directory is ignored, git lists the parts in one list and the whole in the other.
  const unsaved = all.length === 0 ? [] : await list('--exclude-standard');
  return [
    ...[...ignored].filter((name) => !known.has(name)).map((name): Leftover => ({ kind: 'ignored', name })),
    ...unsaved.filter((name) => !known.has(name)).map((name): Leftover => ({ kind: 'unsaved', name })),
    ...links.map((name): Leftover => ({ kind: 'nested', name })),
    ...large.map((name): Leftover => ({ kind: 'large', name })),
  ];
}

/** Files over the limit, as latin1 names within the directory. */
export async function findLarge(directory: string, maxBytes: number, signal: AbortSignal): Promise<string[]> {
  const chunks: Buffer[] = [];
  const onOutput = (chunk: Buffer, stream: 'stdout' | 'stderr'): boolean => {
    if (stream === 'stdout') chunks.push(chunk);
    return true;
  };
  const argv = ['find', '.', '-name', '.git', '-prune', '-o', '-type', 'f', '-size', `+${maxBytes}c`, '-print0'];
  const env = { PATH: trustedPath, LC_ALL: 'C' };
  await runChild({ argv, cwd: directory, env, timeoutMs: searchTimeoutMs, graceMs: 0, onOutput }, signal);
  return records(Buffer.concat(chunks).toString('latin1')).map((name) => name.replace(/^\.\//, ''));
}

const searchTimeoutMs = 5 * 60_000;
