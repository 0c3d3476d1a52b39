// Follows the `out` of a launch from an offset to its end. A busy file is polled, which is cheaper than a notification
// for every write; for a quiet one the system notifies us where it can, and polling is only the safety net. It never
// returns part of a line.

import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { LineBatch } from '../../ports/launch-port.ts';
import { createLineSplitter } from '../../std/lines.ts';
import { forgetActivity, noteActivity, onHaste } from '../table/last-activity.ts';
import { createBell } from './directory-watch.ts';
import type { LaunchDir } from './launch-dir.ts';

export const pollActiveMs = 50;
/** After input to the agent: its answer is expected soon. */
const pollHastyMs = 3;
/** Where the system does not report changes. */
export const pollIdleMs = 250;
/** Where it does: only the death of a killed shim is not reported. */
export const pollToldMs = 5_000;
const pollGrowth = 1.5;
const chunkBytes = 64 * 1024;
/** While lines are tiny: one chunk is handled without a break, and nothing else runs meanwhile. */
const smallChunkBytes = 4 * 1024;
const tinyLineBytes = 16;

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
  const bell = createBell(dir.path);
  try {
    const heard = (batch: LineBatch): Promise<void> => {
      noteActivity(dir.path);
      return onLines(batch);
    };
    const drain = createDrain(fd, offset, heard, signal);
    let hasty = false;
    onHaste(dir.path, () => {
      hasty = true;
      bell.ring();
    });
    for (let pauseMs = pollActiveMs; ; ) {
      const active = await drain();
      if (active) noteActivity(dir.path);
      const end = await over();
      if (end !== null) {
        // Written between our last read and the end.
        await drain();
        return end;
      }
      pauseMs = hasty ? pollHastyMs : nextPause(pauseMs, active);
      hasty = false;
      if (pauseMs < pollIdleMs) await bell.pause(pauseMs, signal);
      else await bell.pauseUnlessTold({ toldMs: beat(pollToldMs), untoldMs: beat(pollIdleMs) }, signal);
    }
  } finally {
    bell.close();
    forgetActivity(dir.path);
    closeSync(fd);
  }
}

function nextPause(pauseMs: number, active: boolean): number {
  // An answer comes in pieces: keep polling fast after the first one.
  if (active && pauseMs >= pollActiveMs) return pollActiveMs;
  return Math.min(pauseMs * pollGrowth, pollIdleMs);
}

/** Idle followers wake together: fifty of them took 1.0 % of a core, and 2.3 % with timers of their own. */
function beat(everyMs: number): number {
  return everyMs - (performance.now() % everyMs);
}

/** Passes on everything that is there; true if there was anything. */
function createDrain(
  fd: number,
  offset: number,
  onLines: (batch: LineBatch) => Promise<void>,
  signal: AbortSignal,
): () => Promise<boolean> {
  const splitter = createLineSplitter(offset);
  let position = offset;
  let mostBytes = chunkBytes;
  return async () => {
    const from = position;
    // Kept only while it is needed: a buffer for each of fifty quiet agents would be three megabytes.
    let buffer: Buffer | null = null;
    // Synchronous: what was just written is in memory, and a trip through the thread pool takes longer than reading it.
    for (let size = fstatSync(fd).size; size > position; size = fstatSync(fd).size) {
      const wanted = Math.min(mostBytes, size - position);
      if (buffer === null || buffer.length < wanted) buffer = Buffer.allocUnsafeSlow(wanted);
      const bytesRead = readSync(fd, buffer, 0, wanted, position);
      if (bytesRead === 0) break;
      position += bytesRead;
      const { texts, flaws } = splitter.pushTexts(buffer.subarray(0, bytesRead));
      mostBytes = texts.length > bytesRead / tinyLineBytes ? smallChunkBytes : chunkBytes;
      signal.throwIfAborted();
      const batch = { lines: texts, end: splitter.end };
      if (texts.length > 0) await onLines(flaws.length === 0 ? batch : { ...batch, flaws });
      // Within a long line, or after a consumer that returns at once: let others run.
      if (size - position > mostBytes) await yieldToOthers();
      signal.throwIfAborted();
    }
    return position > from;
  };
}
