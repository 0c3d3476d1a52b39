// Refs of our own in a bare repository of ours. Each has one writer at a time in this process.

import { lstat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { isFault } from '../std/fault.ts';
import { durable, git, resolveCommit } from './git.ts';

export async function readRef(bare: string, ref: string, signal: AbortSignal): Promise<string | null> {
  return resolveCommit(ref, { env: { GIT_DIR: bare } }, signal);
}

/** Moves the ref from what was read to `commit`; somebody else's change in between is a Fault. */
export async function writeRef(
  bare: string,
  ref: string,
  { from, to }: { from: string | null; to: string },
  signal: AbortSignal,
): Promise<void> {
  if (from === to) return;
  const write = () =>
    git(['update-ref', '--no-deref', ref, to, from ?? '0'.repeat(to.length)], {
      env: { GIT_DIR: bare },
      config: durable,
      signal,
    });
  try {
    await write();
  } catch (error) {
    if (!isFault(error, 'git_failed') || !(await removeStaleLock(join(bare, `${ref}.lock`)))) throw error;
    await write();
  }
}

/** A git that was killed leaves its lock. One that lives holds it for milliseconds. */
const lockStaleMs = 10_000;

async function removeStaleLock(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => null);
  if (found === null || Date.now() - found.mtimeMs < lockStaleMs) return false;
  await unlink(path).catch(() => undefined);
  return true;
}
