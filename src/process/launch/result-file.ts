// The final text of an agent, whole, in a file beside its output, and reading a part of either. Offsets are bytes; a
// part never ends within a character.

import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Part } from '../../ports/launch-port.ts';
import { isFault } from '../../std/fault.ts';
import { diskFault, errnoOf, writeAtomic } from '../../std/files.ts';
import type { LaunchDir } from './launch-dir.ts';
import { readTranscript } from './transcript-file.ts';

/** A later text replaces an earlier one. Returns the path. */
export async function keepResult(dir: LaunchDir, text: string): Promise<string> {
  const path = join(dir.path, 'result');
  await writeAtomic(path, text);
  return path;
}

/** null: there is none. */
export async function readResult(dir: LaunchDir, from: number, max: number): Promise<Part | null> {
  const path = join(dir.path, 'result');
  try {
    const file = await open(path, 'r');
    try {
      const { size } = await file.stat();
      const buffer = Buffer.alloc(Math.max(0, Math.min(max, size - from)));
      const { bytesRead } = await file.read(buffer, 0, buffer.length, from);
      return partOf(buffer.subarray(0, bytesRead), from, from + bytesRead < size);
    } finally {
      await file.close();
    }
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return null;
    throw diskFault(error, path);
  }
}

/** null: there is none, or not yet. */
export async function readOut(dir: LaunchDir, from: number, max: number): Promise<Part | null> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of readTranscript(dir, { from })) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > max) break;
    }
  } catch (error) {
    if (isFault(error, 'not_found')) return null;
    throw error;
  }
  const all = Buffer.concat(chunks);
  return partOf(all.subarray(0, max), from, all.length > max);
}

function partOf(bytes: Buffer, from: number, more: boolean): Part {
  const whole = more ? bytes.subarray(0, wholeCharacters(bytes)) : bytes;
  return { text: whole.toString('utf8'), end: from + whole.length, more };
}

/** Without the bytes of a character that is cut at the end. */
function wholeCharacters(bytes: Buffer): number {
  let start = bytes.length - 1;
  while (start > 0 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start -= 1;
  const lead = bytes[start] ?? 0;
  const needed = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  return start >= 0 && bytes.length - start < needed ? start : bytes.length;
}
