// Refs of our own in a bare repository of ours. Each has one writer at a time in this process. Where git keeps a ref as
// a file, it is read and written directly, in git's own way: starting git costs ten times as much.

import { readFileSync } from 'node:fs';
import { lstat, mkdir, open, rename, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Fault } from '../../std/fault.ts';
import { diskFault, errnoOf, readIfThere, syncDirectory } from '../../std/files.ts';
import { durable, git, isCommitId, resolveCommit } from './git.ts';
import { hasDirectory } from './real-directory.ts';

export async function readRef(bare: string, ref: string, signal: AbortSignal): Promise<string | null> {
  signal.throwIfAborted();
  const text = readNow(join(bare, ref));
  // A loose ref overrides a packed one.
  if (isCommitId(text.trimEnd())) return text.trimEnd();
  return (await mayBeElsewhere(bare, ref)) ? resolveCommit(ref, { env: { GIT_DIR: bare } }, signal) : null;
}

/** Synchronous: it is one small file, which git would read in the same way. */
function readNow(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** Moves the ref from what was read to `commit`; a change by another writer in between is a Fault. */
export async function writeRef(
  bare: string,
  ref: string,
  { from, to }: { from: string | null; to: string },
  signal: AbortSignal,
): Promise<void> {
  if (from === to) return;
  if (!(await hasFiles(bare))) {
    const args = ['update-ref', '--no-deref', ref, to, from ?? '0'.repeat(to.length)];
    await git(args, { env: { GIT_DIR: bare }, config: durable, signal });
    return;
  }
  signal.throwIfAborted();
  const path = join(bare, ref);
  // git's own lock file: git does not touch it, and other writers wait until it is gone.
  const lock = `${path}.lock`;
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeLock(lock, `${to}\n`);
    await moveUnlessChanged(bare, ref, from, signal).catch(async (error: unknown) => {
      await unlink(lock).catch(() => undefined);
      throw error;
    });
    await syncDirectory(dirname(path));
  } catch (error) {
    throw diskFault(error, path);
  }
  signal.throwIfAborted();
}

export type MoveRef = typeof writeRef;

async function moveUnlessChanged(bare: string, ref: string, from: string | null, signal: AbortSignal): Promise<void> {
  const now = await readRef(bare, ref, signal);
  signal.throwIfAborted();
  if (now !== from)
    throw new Fault(
      'git_failed',
      `${ref} is at ${now ?? 'nothing'} instead of ${from ?? 'nothing'}: something else has moved it`,
    );
  await rename(join(bare, `${ref}.lock`), join(bare, ref));
}

async function writeLock(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx').catch(async (error: unknown) => {
    if (errnoOf(error) !== 'EEXIST') throw error;
    if (await removeStaleLock(path)) return open(path, 'wx');
    throw new Fault('git_failed', `${path} exists: another process is writing this ref`, { cause: error });
  });
  try {
    await file.writeFile(text);
    await file.sync();
  } catch (error) {
    await unlink(path).catch(() => undefined);
    throw error;
  } finally {
    await file.close();
  }
}

/** Whether the ref may exist although there is no file of it. */
async function mayBeElsewhere(bare: string, ref: string): Promise<boolean> {
  if (!(await hasFiles(bare))) return true;
  return (await readIfThere(join(bare, 'packed-refs')))?.includes(` ${ref}\n`) === true;
}

/** Whether refs are files here; git has another format, too. */
async function hasFiles(bare: string): Promise<boolean> {
  return !(await hasDirectory(join(bare, 'reftable')));
}

/** A killed writer leaves its lock behind. A living one holds it for milliseconds. */
const lockStaleMs = 10_000;

/** Also a lock from before this process: a daemon that was killed while writing must not block the next one. */
async function removeStaleLock(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => null);
  if (found === null) return true;
  const isFormer = found.mtimeMs < performance.timeOrigin;
  if (!isFormer && Date.now() - found.mtimeMs < lockStaleMs) return false;
  await unlink(path).catch(() => undefined);
  return true;
}
