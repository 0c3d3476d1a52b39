// Writes to a descriptor at once and whole: output must be complete before the next step.

import { writeSync } from 'node:fs';

const fullPauseMs = 2;

export function writeWhole(fd: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(fd, bytes, at);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      // The reader is slow, and the pipe is non-blocking: wait a little.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, fullPauseMs);
    }
  }
}
