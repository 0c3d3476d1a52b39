// Directories and files that only their owner can access. Links, and anything of another user, are refused.

import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  type Stats,
} from 'node:fs';
import { chmod, lstat, mkdir } from 'node:fs/promises';
import { Fault } from './fault.ts';
import { diskFault, errnoOf } from './files.ts';

/** Creates it, or makes sure that nobody else can enter it. */
export async function ownDirectory(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    if (isOpen(await lstat(path), path)) await chmod(path, 0o700);
  } catch (error) {
    throw diskFault(error, path);
  }
}

/** The same, synchronously: for what is done once in the life of a home. */
export function ownDirectorySync(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    if (isOpen(lstatSync(path), path)) chmodSync(path, 0o700);
  } catch (error) {
    throw diskFault(error, path);
  }
}

function isOpen(found: Stats, path: string): boolean {
  if (!found.isDirectory() || found.uid !== process.getuid?.()) {
    throw new Fault('read_only', `${path} must be a directory of your own, not a link or another user's`);
  }
  return (found.mode & 0o777) !== 0o700;
}

export type OwnFile =
  | { readonly kind: 'none' }
  | { readonly kind: 'read'; readonly bytes: Buffer }
  /** `flaw` continues a sentence that starts with the path: "is a link". */
  | { readonly kind: 'unsafe'; readonly path: string; readonly flaw: string; readonly open: boolean };

/** The content of a file that only we can have read or written, and whose directory is ours alone too. */
export function readOwnFile(directory: string, path: string): OwnFile {
  const place = statsIfThere(directory);
  if (place === null) return { kind: 'none' };
  if (!place.isDirectory()) return unsafe(directory, 'is not a directory');
  const flaw = flawOf(place);
  if (flaw !== null) return { kind: 'unsafe', path: directory, ...flaw };
  let file: number;
  try {
    // Open first and check the open file: the name may be replaced meanwhile.
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return { kind: 'none' };
    if (errnoOf(error) === 'ELOOP' || errnoOf(error) === 'EMLINK') return unsafe(path, 'is a link');
    throw diskFault(error, path);
  }
  try {
    const found = fstatSync(file);
    if (!found.isFile()) return unsafe(path, 'is not a file');
    const wrong = flawOf(found);
    return wrong === null ? { kind: 'read', bytes: readFileSync(file) } : { kind: 'unsafe', path, ...wrong };
  } finally {
    closeSync(file);
  }
}

function statsIfThere(path: string): Stats | null {
  try {
    return lstatSync(path);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') return null;
    throw diskFault(error, path);
  }
}

function flawOf({ uid, mode }: { uid: number; mode: number }): { flaw: string; open: boolean } | null {
  if (uid !== process.getuid?.()) return { flaw: "is another user's", open: false };
  return (mode & 0o077) === 0 ? null : { flaw: 'can be used by others than you', open: true };
}

function unsafe(path: string, flaw: string): OwnFile {
  return { kind: 'unsafe', path, flaw, open: false };
}
