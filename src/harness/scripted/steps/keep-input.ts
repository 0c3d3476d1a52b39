// Keeps the scripted agent's input in a file, so that tests can see what it read and how often. A message may be set to kill it
// before the message is acknowledged.

import { appendFileSync } from 'node:fs';
import type { InputRecord } from '../agent/input-reader.ts';
import type { SessionStore } from '../agent/session-file.ts';

export function keepInput({ session, save }: SessionStore, { uuid, text }: InputRecord): void {
  if (session.keeps === null) return;
  const { path, dieOf } = session.keeps;
  session.heard += 1;
  if (dieOf !== undefined && session.heard % dieOf === 0) {
    // Saved first: at the same message again it stays alive.
    save();
    process.kill(process.pid, 'SIGKILL');
    // A signal takes a moment to arrive.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  }
  appendFileSync(path, `${JSON.stringify({ uuid, text })}\n`);
}
