// Reading files that an agent writes in its home. The agent may put anything there: a link and a pipe are not followed and not
// waited for; what grows is read on from where it was left.

import { constants } from 'node:fs';
import { type FileHandle, open, readdir } from 'node:fs/promises';
import type { HomeLines } from '../ports/home-port.ts';
import { errnoOf } from '../std/files.ts';

const chunkBytes = 1 << 20;
const namesMax = 1_000;
const newline = 0x0a;

/** Whole lines only. A line that is longer than what is read at once comes in pieces. */
export async function readTail(path: string, offset: number): Promise<HomeLines> {
  const nothing = { lines: [], end: offset };
  const file = await openIfFile(path);
  if (file === null) return { lines: [], end: 0 };
  try {
    const { size } = await file.stat();
    if (size === offset) return nothing;
    if (size < offset) return { lines: [], end: 0 };
    const buffer = Buffer.alloc(Math.min(chunkBytes, size - offset));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, offset);
    const last = buffer.lastIndexOf(newline, bytesRead - 1);
    const cut = last < 0 && bytesRead === chunkBytes ? bytesRead : last + 1;
    if (cut === 0) return nothing;
    return { lines: linesOf(buffer.toString('utf8', 0, cut)), end: offset + cut };
  } finally {
    await file.close();
  }
}

/** All that is there, each line whole. */
export async function readLines(path: string): Promise<readonly string[]> {
  const file = await openIfFile(path);
  if (file === null) return [];
  try {
    return linesOf(await file.readFile('utf8'));
  } finally {
    await file.close();
  }
}

/** null = there is none, or something else. */
async function openIfFile(path: string): Promise<FileHandle | null> {
  let file: FileHandle;
  try {
    file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (isAbsent(error)) return null;
    throw error;
  }
  if ((await file.stat()).isFile()) return file;
  await file.close();
  return null;
}

function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line !== '');
}

export async function namesIn(path: string): Promise<readonly string[]> {
  try {
    return (await readdir(path)).toSorted().slice(0, namesMax);
  } catch (error) {
    if (isAbsent(error)) return [];
    throw error;
  }
}

/** Not there, or not what it should be: both say nothing. */
function isAbsent(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO', 'EACCES'].includes(errnoOf(error) ?? '');
}
