// How a turn of Codex is ended between two requests to the model, with no further request and with the results of its tools in its
// history. A hook runs before every request and waits while a file says so: the gate. Only that works: hooks after a tool do not end a
// turn, and an interrupt without the gate comes before or after the request by chance (measured on 0.169.0).
//
// Without a brake the gate is shut while a tool of ours is called that may end the turn; with one it is always shut, and each request
// needs a pass. Files are written by Codex itself, on a request of ours: the codec does no I/O.

import { join } from 'node:path';
import { request } from './records.ts';

const gateFile = 'gate';
const passFile = 'pass';

export type Gate = 'open' | 'shut';

/** In CODEX_HOME, before the first request of a launch. */
export function gateFileOf(gate: Gate): { readonly path: string; readonly text: string } {
  return { path: gateFile, text: `${gate}\n` };
}

/** POSIX sh. A gate that is missing is open. */
export const gateCommand =
  'cat >/dev/null; while IFS= read -r gate <"$CODEX_HOME/gate" && [ "$gate" = shut ]; do ' +
  '[ ! -e "$CODEX_HOME/pass" ] || { rm -f "$CODEX_HOME/pass"; break; }; sleep 0.05; done';

/** Longer than anybody waits: afterwards the request would go out. */
export const gateTimeoutS = 7 * 86_400;

/** Codex runs no hook that nobody reviewed: this is its own hash of exactly this command and time. A test compares it. */
export const gateHash = 'sha256:fe8e7354cbccf3d359c17e4f9e81c1b646b6d77da605aab975c4a109f4296c1c';

export function setGate(id: string, dir: string, gate: Gate): string {
  return write(id, join(dir, gateFile), gateFileOf(gate).text);
}

/** For one request to the model. */
export function givePass(id: string, dir: string): string {
  return write(id, join(dir, passFile), '\n');
}

/** One that a process which died has left behind. */
export function takePassAway(id: string, dir: string): string {
  return request(id, 'fs/remove', { path: join(dir, passFile) });
}

function write(id: string, path: string, text: string): string {
  return request(id, 'fs/writeFile', { path, dataBase64: Buffer.from(text).toString('base64') });
}

/** What the engine is asked, and by which it is answered: all ids that the answer has to carry. */
export interface Round {
  readonly thread: string;
  readonly turn: string;
  readonly nth: number;
  readonly brake: boolean;
}

export function roundName({ thread, turn, nth, brake }: Round): string {
  return [brake ? 'pass' : 'gate', thread, turn, nth].join(' ');
}

export function roundOf(name: string): Round {
  const [kind, thread = '', turn = '', nth] = name.split(' ');
  return { thread, turn, nth: Number(nth), brake: kind === 'pass' };
}
