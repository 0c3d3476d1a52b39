// What the scripted agent is told, kept in a file of its own, so that others can see what it took up and how often. It may be made
// to die of some of it, before it has acknowledged that.

import { appendFileSync } from 'node:fs';
import type { InputRecord } from '../agent/input-reader.ts';
import type { SessionStore } from '../agent/session-file.ts';

export function keepInput({ session, save }: SessionStore, { uuid, text }: InputRecord): void {
  if (session.keeps === null) return;
  const { path, dieOf } = session.keeps;
  session.heard += 1;
  if (dieOf !== undefined && session.heard % dieOf === 0) {
    // Noted first: told the same again it lives.
    save();
    process.kill(process.pid, 'SIGKILL');
    // A signal takes a moment to arrive.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  }
  appendFileSync(path, `${JSON.stringify({ uuid, text })}\n`);
}
