// What the result of a setup is taken to depend on: the setup file, every lockfile and ignore file of the base, and the
// kind of machine. Without a lockfile nothing says when the result would differ, so it is never kept.

import { createHash } from 'node:crypto';
import { git } from '../commands/git.ts';
import { listingMaxBytes, records } from '../commands/tree-index.ts';

export async function setupKey(bare: string, base: string, setup: string, signal: AbortSignal): Promise<string | null> {
  const { stdout } = await git(['ls-tree', '-r', '-z', '--full-tree', base], {
    env: { GIT_DIR: bare },
    signal,
    encoding: 'latin1',
    stdoutMaxBytes: listingMaxBytes,
  });
  return keyOf(records(stdout), setup, `${process.platform}-${process.arch}`);
}

/** Of lines as `git ls-tree -r` prints them. */
export function keyOf(entries: readonly string[], setup: string, machine: string): string | null {
  const locks = entries.filter((entry) => isLockfile(lastName(entry)));
  if (locks.length === 0) return null;
  // Which of its files are kept is decided by what is ignored.
  const ignores = entries.filter((entry) => lastName(entry) === '.gitignore');
  const hash = createHash('sha256');
  for (const part of [machine, setup, ...locks, ...ignores]) hash.update(`${part}\0`, 'latin1');
  return hash.digest('hex').slice(0, 32);
}

function isLockfile(name: string): boolean {
  return lockfiles.has(name) || /^requirements.*\.txt$/.test(name);
}

function lastName(entry: string): string {
  return entry.slice(Math.max(entry.lastIndexOf('/'), entry.indexOf('\t')) + 1);
}

const lockfiles: ReadonlySet<string> = new Set([
  'package-lock.json',
  'npm-shrinkwrap.json',
  'yarn.lock',
  'pnpm-lock.yaml',
  'bun.lock',
  'bun.lockb',
  'Cargo.lock',
  'poetry.lock',
  'uv.lock',
  'Pipfile.lock',
  'go.sum',
  'Gemfile.lock',
  'composer.lock',
  'mix.lock',
  'flake.lock',
]);
