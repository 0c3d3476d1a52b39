// Whole files, written so that a crash leaves the old content or the new, and read without a race on existence. Disk conditions
// that people can fix have codes of their own; any other failure passes through unchanged.

import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { type FileHandle, open, readFile, rename, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Fault } from './fault.ts';

let temporaries = 0;

export interface WriteOptions {
  /** Left out = its owner may read and write it. */
  readonly mode?: number;
  /** A directory on the same file system for the temporary file; left out = the file's own. */
  readonly by?: string;
  /** Left out = it survives a power loss. false: a crash of the machine may leave the old content, or none. */
  readonly durable?: boolean;
}

/** Replaces `path` in one step that survives a power loss. The file is readable by its owner only. */
export async function writeAtomic(
  path: string,
  data: string | Uint8Array,
  { mode = ownerOnly, by = dirname(path), durable = true }: WriteOptions = {},
): Promise<void> {
  const temporary = temporaryFor(path, by);
  try {
    const write = async (file: FileHandle): Promise<void> => {
      await file.writeFile(data);
      if (durable) await file.sync();
    };
    await withFile(temporary, 'wx', write, mode);
    await rename(temporary, path);
    if (durable) await syncDirectory(dirname(path));
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    throw diskFault(error, path);
  }
}

/** The same, synchronously: for callers that cannot wait, once in the life of a home. */
export function writeAtomicSync(path: string, data: string | Uint8Array): void {
  const temporary = temporaryFor(path, dirname(path));
  try {
    withFileSync(temporary, 'wx', (file) => {
      writeFileSync(file, data);
      fsyncSync(file);
    });
    renameSync(temporary, path);
    withFileSync(dirname(path), 'r', fsyncSync);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw diskFault(error, path);
  }
}

/** On the same file system as the file itself, because a rename across two is a copy. */
function temporaryFor(path: string, by: string): string {
  temporaries += 1;
  return join(by, `${basename(path)}.${process.pid}-${temporaries}.tmp`);
}

/** The content; null = there is no such file. */
export async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return null;
    throw diskFault(error, path);
  }
}

/** Makes the names in a directory durable: a rename or a new file may otherwise be lost with the power. */
export async function syncDirectory(path: string): Promise<void> {
  await withFile(path, 'r', (directory) => directory.sync());
}

/** Turns the error of a full or read-only disk into a Fault; returns any other error unchanged. */
export function diskFault(error: unknown, path: string): unknown {
  switch (errnoOf(error)) {
    case 'ENOSPC':
    case 'EDQUOT':
      return new Fault('disk_full', `no space left to write ${path}`, { cause: error });
    case 'EROFS':
    case 'EACCES':
      return new Fault('read_only', `no permission to use ${path}`, { cause: error });
    default:
      return error;
  }
}

export function errnoOf(error: unknown): string | undefined {
  return error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
}

const ownerOnly = 0o600;

async function withFile<T>(
  path: string,
  flags: string,
  use: (file: FileHandle) => Promise<T>,
  mode = ownerOnly,
): Promise<T> {
  const file = await open(path, flags, mode);
  try {
    return await use(file);
  } finally {
    await file.close();
  }
}

function withFileSync(path: string, flags: string, use: (file: number) => void): void {
  const file = openSync(path, flags, ownerOnly);
  try {
    use(file);
  } finally {
    closeSync(file);
  }
}
