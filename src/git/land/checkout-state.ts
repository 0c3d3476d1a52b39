// Whether the files of a user's checkout may move to another commit: nothing is uncommitted, no operation is in progress, and
// no untracked file is in the way. Reads only.

import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { errnoOf } from '../../std/files.ts';
import { git } from '../commands/git.ts';
import { mustAsUser, type User } from '../commands/git-as-user.ts';
import { pathText } from '../commands/path-text.ts';
import { listingMaxBytes, records } from '../commands/tree-index.ts';
import type { Checkout } from './target-branch.ts';

export interface Move {
  readonly checkout: Checkout;
  /** A repository with both commits. */
  readonly bare: string;
  readonly from: string;
  readonly to: string;
  readonly user: User;
}

/** Why it may not be moved, as the end of a sentence; null = it may. */
export async function flawOfMove(move: Move, signal: AbortSignal): Promise<string | null> {
  const { checkout, user } = move;
  for (const [name, what] of underWay) {
    if (await exists(join(checkout.gitDir, name))) return `has ${what} under way`;
  }
  const options = { cwd: checkout.path, user, signal };
  const sparse = await git(['config', '--type=bool', '--get', 'core.sparseCheckout'], {
    cwd: checkout.path,
    signal,
    accept: [0, 1],
  });
  if (sparse.stdout.trim() === 'true') return 'is a sparse one';
  const status = await mustAsUser(['status', '--porcelain', '-z', '--untracked-files=no', '--no-renames'], options);
  const [changed] = status.split('\0');
  if (changed !== undefined && changed !== '') {
    return `has changes that are not committed, in ${pathText(changed.slice(3))}`;
  }
  const inTheWay = await whatIsInTheWay(move, signal);
  return inTheWay === null ? null : `has ${pathText(inTheWay)}, which git does not keep and the work would overwrite`;
}

const underWay = [
  ['MERGE_HEAD', 'a merge'],
  ['CHERRY_PICK_HEAD', 'a cherry-pick'],
  ['REVERT_HEAD', 'a revert'],
  ['BISECT_LOG', 'a bisection'],
  ['rebase-merge', 'a rebase'],
  ['rebase-apply', 'a rebase'],
  ['sequencer', 'a sequence of picks'],
] as const;

/** git itself would overwrite what is ignored. Names as latin1. */
async function whatIsInTheWay({ checkout, bare, from, to }: Move, signal: AbortSignal): Promise<string | null> {
  const { added, removed } = await changedNames(bare, from, to, signal);
  for (const name of added) {
    const parts = name.split('/');
    for (let depth = 1; depth < parts.length; depth++) {
      const above = parts.slice(0, depth).join('/');
      const found = await kindOf(checkout.path, above);
      if (found === 'file' && !removed.has(above)) return above;
      if (found !== 'directory') break;
    }
    const found = await kindOf(checkout.path, name);
    if (found === 'file' && !removed.has(name)) return name;
    if (found !== 'directory') continue;
    for await (const inside of filesIn(checkout.path, name)) if (!removed.has(inside)) return inside;
  }
  return null;
}

/** Names as latin1. */
export async function changedNames(
  bare: string,
  from: string,
  to: string,
  signal: AbortSignal,
): Promise<{ added: readonly string[]; removed: ReadonlySet<string> }> {
  const args = ['diff-tree', '-r', '-z', '--no-renames', '--name-status', from, to];
  const options = { env: { GIT_DIR: bare }, signal, encoding: 'latin1', stdoutMaxBytes: listingMaxBytes } as const;
  const fields = records((await git(args, options)).stdout);
  const added: string[] = [];
  const removed = new Set<string>();
  for (let i = 0; i + 1 < fields.length; i += 2) {
    if (fields[i] === 'A') added.push(fields[i + 1] as string);
    if (fields[i] === 'D') removed.add(fields[i + 1] as string);
  }
  return { added, removed };
}

/** A path of latin1 below a directory, as the system has it. */
export function pathBelow(top: string, name: string): Buffer {
  return Buffer.concat([Buffer.from(`${top}/`), Buffer.from(name, 'latin1')]);
}

export async function kindOf(top: string, name: string): Promise<'nothing' | 'file' | 'directory'> {
  try {
    return (await lstat(pathBelow(top, name))).isDirectory() ? 'directory' : 'file';
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') return 'nothing';
    throw error;
  }
}

async function* filesIn(top: string, name: string): AsyncIterable<string> {
  for (const entry of await readdir(pathBelow(top, name), { encoding: 'latin1', withFileTypes: true })) {
    const inside = `${name}/${entry.name}`;
    if (entry.isDirectory()) yield* filesIn(top, inside);
    else yield inside;
  }
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
