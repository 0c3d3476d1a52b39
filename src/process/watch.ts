// Follows the `out` of a launch from an offset to its end, by polling: cheaper than notifications for busy files and
// for idle ones nearly free. Never hands over part of a line.

import { closeSync, fstatSync, openSync, read } from 'node:fs';
import { promisify } from 'node:util';
import { createLineSplitter, type Line, type LineFlaw } from '../std/lines.ts';
import type { LaunchDir } from './launch-dir.ts';
import { pause } from './waiting.ts';

export interface LineBatch {
  readonly lines: readonly string[];
  /** Byte offset after the last line: where to watch from next. */
  readonly end: number;
  /** Lines that are not what the agent wrote: cut because of their length, or with bytes replaced. */
  readonly flaws?: readonly { readonly index: number; readonly flaw: LineFlaw }[];
}

export const pollActiveMs = 50;
export const pollIdleMs = 250;
const pollGrowth = 1.5;
const chunkBytes = 1024 * 1024;

/** `over` says whether the launch has ended; it is asked at every poll, and what was written by then is still read. */
export async function follow<T>(
  dir: LaunchDir,
  offset: number,
  onLines: (batch: LineBatch) => Promise<void>,
  over: () => Promise<T | null>,
  signal: AbortSignal,
): Promise<T> {
  signal.throwIfAborted();
  const fd = openSync(dir.out, 'r');
  try {
    const splitter = createLineSplitter(offset);
    let position = offset;
    const drain = async (): Promise<boolean> => {
      const from = position;
      // The size is in memory, unlike a read it costs no trip through the thread pool.
      while (fstatSync(fd).size > position) {
        const chunk = await readChunk(fd, position);
        if (chunk.length === 0) break;
        position += chunk.length;
        const lines = splitter.push(chunk);
        signal.throwIfAborted();
        if (lines.length > 0) await onLines(batchOf(lines));
        signal.throwIfAborted();
      }
      return position > from;
    };
    for (let pauseMs = pollActiveMs; ; ) {
      const active = await drain();
      const end = await over();
      if (end !== null) {
        // Written between our last read and the end.
        await drain();
        return end;
      }
      pauseMs = active ? pollActiveMs : Math.min(pauseMs * pollGrowth, pollIdleMs);
      // The idle ones wake together: fifty of them took 1.0 % of a core, and 2.3 % each on its own beat.
      await pause(pauseMs < pollIdleMs ? pauseMs : pollIdleMs - (performance.now() % pollIdleMs), signal);
    }
  } finally {
    closeSync(fd);
  }
}

const readInto = promisify(read);

async function readChunk(fd: number, position: number): Promise<Buffer> {
  // Sized to what is there: a buffer for each of fifty quiet agents would be fifty megabytes.
  const buffer = Buffer.allocUnsafe(Math.min(chunkBytes, fstatSync(fd).size - position));
  const { bytesRead } = await readInto(fd, buffer, 0, buffer.length, position);
  return buffer.subarray(0, bytesRead);
}

function batchOf(lines: readonly Line[]): LineBatch {
  const flaws = lines.flatMap(({ flaw }, index) => (flaw === undefined ? [] : [{ index, flaw }]));
  const batch = { lines: lines.map((line) => line.text), end: lines.at(-1)?.end ?? 0 };
  return flaws.length === 0 ? batch : { ...batch, flaws };
}
