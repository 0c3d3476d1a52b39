// Writes to a descriptor at once and whole: what was said must be out before the next thing is done.

import { writeSync } from 'node:fs';

const fullPauseMs = 2;

export function writeWhole(fd: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(fd, bytes, at);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      // Whoever reads is slow, and somebody made the pipe one that does not wait for him.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, fullPauseMs);
    }
  }
}
