// Reading on in files that an agent writes in its home. The agent may put anything there: a link, a pipe and a file without
// an end are not followed, not waited for and not read whole.

import { constants } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { errnoOf } from '../std/files.ts';

const chunkBytes = 1 << 20;
const namesMax = 1_000;
const newline = 0x0a;

/** Whole lines only. A line that is longer than what is read at once comes in pieces. */
export async function readTail(path: string, offset: number): Promise<{ lines: readonly string[]; end: number }> {
  const nothing = { lines: [], end: offset };
  let file: Awaited<ReturnType<typeof open>>;
  try {
    file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (isAbsent(error)) return { lines: [], end: 0 };
    throw error;
  }
  try {
    const stat = await file.stat();
    if (!stat.isFile() || stat.size === offset) return nothing;
    if (stat.size < offset) return { lines: [], end: 0 };
    const buffer = Buffer.alloc(Math.min(chunkBytes, stat.size - offset));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, offset);
    const last = buffer.lastIndexOf(newline, bytesRead - 1);
    const cut = last < 0 && bytesRead === chunkBytes ? bytesRead : last + 1;
    if (cut === 0) return nothing;
    const text = buffer.toString('utf8', 0, cut);
    return { lines: text.split('\n').filter((line) => line !== ''), end: offset + cut };
  } finally {
    await file.close();
  }
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
