// Shims that have no launch yet. Starting a process from Node and a shell in it takes as long as half a bwrap, so one
// is kept waiting for its order. It waits on a pipe of ours: if we die, it ends, having claimed nothing.

import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { must } from '../std/assert.ts';
import { Fault } from '../std/fault.ts';
import { trustedPath } from './confine.ts';

export interface SpareShim {
  readonly child: ChildProcess;
  /** The file it will pass on as descriptor 3. Whoever takes the shim closes it. */
  readonly environmentFd: number;
}

/** Locale and time zone are those in which process-table.ts reads start times. */
export const shimEnvironment = { PATH: trustedPath, LC_ALL: 'C', TZ: 'UTC' };

/** The one that waits, or a new one. */
export async function takeShim(): Promise<SpareShim> {
  const taken = spare;
  spare = null;
  if (taken !== null && isWaiting(taken)) return taken;
  if (taken !== null) discard(taken);
  return startShim();
}

/** Sends it to a launch directory that is all prepared. Whether it wins the launch, the directory will tell. */
export function giveOrder({ child, environmentFd }: SpareShim, directory: string, environment: string): ChildProcess {
  const bytes = Buffer.from(environment);
  // At a position, so that the descriptor itself stays at the beginning.
  for (let at = 0; at < bytes.length; ) at += writeSync(environmentFd, bytes, at, bytes.length - at, at);
  must(child.stdin, 'its stdin is a pipe').end(`${directory}\n`);
  return child;
}

/** Has one waiting for the next launch, a little later: starting it would slow down the launch just begun. */
export function keepSpareShim(): void {
  if (spare !== null || refill !== null) return;
  refill = setTimeout(() => {
    startShim()
      .then((shim) => {
        if (spare === null) spare = shim;
        else discard(shim);
      })
      // Without it the next start is only slower.
      .catch(() => undefined)
      .finally(() => {
        refill = null;
      });
  }, refillAfterMs).unref();
}

const refillAfterMs = 25;
let refill: NodeJS.Timeout | null = null;
let spare: SpareShim | null = null;

const shimPath = fileURLToPath(new URL('./shim.sh', import.meta.url));

function isWaiting({ child }: SpareShim): boolean {
  return child.exitCode === null && child.signalCode === null && child.stdin?.writable === true;
}

function discard({ child, environmentFd }: SpareShim): void {
  child.stdin?.destroy();
  closeSync(environmentFd);
}

async function startShim(): Promise<SpareShim> {
  const environmentFd = openNameless();
  try {
    // Detached is a session of its own: neither our terminal nor our process group is its end.
    const child = spawn('/bin/sh', [shimPath], {
      cwd: '/',
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore', environmentFd],
      env: shimEnvironment,
    });
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', (cause) =>
        reject(new Fault('launch_failed', `cannot start a shim: ${cause.message}`, { cause })),
      );
    });
    child.unref();
    const pipe = must(child.stdin, 'its stdin is a pipe');
    // It may die before its order: nobody claims the launch then, and its start says so.
    pipe.on('error', () => undefined);
    if ('unref' in pipe && typeof pipe.unref === 'function') pipe.unref();
    return { child, environmentFd };
  } catch (error) {
    closeSync(environmentFd);
    throw error;
  }
}

/** A file that only its descriptor leads to. */
function openNameless(): number {
  const directory = mkdtempSync(join(tmpdir(), 'signalbox-'));
  try {
    return openSync(join(directory, 'environment'), 'wx+', 0o600);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
