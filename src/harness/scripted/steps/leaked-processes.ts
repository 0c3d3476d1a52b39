// Processes that the scripted agent leaves behind, in the ways in which real ones escape being stopped. They end by themselves
// after a while: a failed test must not leave them for ever.

import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Stage } from '../agent/stage.ts';
import type { Given } from './step-list.ts';

const secondsUsual = 600;
const pollMs = 5;

interface Way {
  /** A shell script: $1 is the file for the pid, $2 how long to live. */
  readonly script: string;
  /** In a session of its own. */
  readonly detached: boolean;
  /** Without the agent's environment, in the root directory. */
  readonly bare: boolean;
}

const ways: Readonly<Record<Given<'leak'>['how'], Way>> = {
  background: { script: 'sleep "$2" & echo $! >>"$1"', detached: false, bare: false },
  nohup: { script: 'nohup sleep "$2" & echo $! >>"$1"', detached: false, bare: false },
  setsid: { script: 'sleep "$2" & echo $! >>"$1"', detached: true, bare: false },
  doubleFork: { script: '(sleep "$2" & echo $! >>"$1") &', detached: true, bare: true },
  deaf: { script: `trap '' HUP INT TERM; sleep "$2" & echo $! >>"$1"`, detached: true, bare: false },
  // Each lives for a moment and leaves a successor, so that listing them and then killing them is too late.
  respawn: {
    script:
      'end=$(($(date +%s) + $2)); again=\'echo $$ >>"$1"; sleep 0.05; ' +
      '[ "$(date +%s)" -lt "$2" ] && sh -c "$3" sh "$1" "$2" "$3" &\'; sh -c "$again" sh "$1" "$end" "$again"',
    detached: true,
    bare: false,
  },
};

/** Resolves when all of them live. */
export async function leak(given: Given<'leak'>, { signal }: Stage): Promise<void> {
  const { how, count = 1, seconds = secondsUsual, pidFile, holdStdout = false } = given;
  const { script, detached, bare } = ways[how];
  const file = pidFile === undefined ? '/dev/null' : resolve(pidFile);
  if (pidFile !== undefined) mkdirSync(dirname(file), { recursive: true });
  const before = pidsIn(file);
  const output = holdStdout ? 'inherit' : 'ignore';
  const place = bare ? { env: {}, cwd: '/' } : {};
  for (let n = 0; n < count; n++) {
    const args = ['-c', script, 'sh', file, String(seconds)];
    const child = spawn('/bin/sh', args, { detached, ...place, stdio: ['ignore', output, 'ignore'] });
    await new Promise((done, fail) => child.once('exit', done).once('error', fail));
  }
  while (pidFile !== undefined && pidsIn(file) < before + count) await delay(pollMs, undefined, { signal });
}

function pidsIn(file: string): number {
  return file !== '/dev/null' && existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 1 : 0;
}
