// Shims that have no launch yet. Starting one, with its feeder and drains, takes longer than bwrap, so for each root
// one is kept waiting for its order, in a directory of its own that becomes the directory of the launch. It waits on a
// pipe from us: if we die, it ends without having claimed anything.

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { must } from '../../std/assert.ts';
import { builtFile } from '../../std/built-file.ts';
import { Fault } from '../../std/fault.ts';
import { errnoOf } from '../../std/files.ts';
import { trustedPath } from '../trusted-path.ts';
import type { LaunchDir } from './launch-dir.ts';

export interface SpareShim {
  readonly child: ChildProcess;
  /** The file it will pass on as descriptor 3. */
  readonly environmentFd: number;
  /** Its directory until that becomes a launch's. */
  readonly path: string;
}

/** Locale and time zone are those in which process-table.ts reads start times. */
export const shimEnvironment = { PATH: trustedPath, LC_ALL: 'C', TZ: 'UTC' };

/** The files in its directory from the beginning. */
export const spareFiles: readonly string[] = ['in', 'out', 'err', 'info'];

/** The waiting shim, or a new one. The caller gives it its order and discards it. */
export async function takeShim(root: string): Promise<SpareShim> {
  const taken = spares.get(root);
  spares.delete(root);
  if (taken !== undefined && isWaiting(taken)) return taken;
  if (taken !== undefined) discard(taken);
  return startShim(root);
}

/** Makes the shim's own directory the launch's. False if the launch has one already, maybe used by another shim. */
export function lendDirectory({ path }: SpareShim, dir: LaunchDir): boolean {
  try {
    renameSync(path, dir.path);
    return true;
  } catch (error) {
    if (errnoOf(error) === 'ENOTEMPTY' || errnoOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Sends it to a launch directory that is fully prepared. The directory tells whether it wins the launch; the order in
 * it may come from another supervisor.
 */
export function giveOrder(
  { child, environmentFd }: SpareShim,
  { directory, isLent }: { directory: string; isLent: boolean },
  environment: string,
): void {
  const bytes = Buffer.from(environment);
  // At a position, so that the descriptor itself stays at the beginning.
  for (let at = 0; at < bytes.length; ) at += writeSync(environmentFd, bytes, at, bytes.length - at, at);
  must(child.stdin, 'its stdin is a pipe').end(`${isLent ? 'lent' : 'other'} ${directory}\n`);
}

/** Closes our ends of its pipes. Without an order it ends. */
export function discard({ child, environmentFd, path }: SpareShim): void {
  if (child.stdin?.writableEnded === false) child.stdin.destroy();
  closeSync(environmentFd);
  // A shim that is starting may still create something in it.
  if (!remove(path)) child.once('exit', () => remove(path));
}

/** Starts a spare shim for the next launch a little later: starting it now would slow down the launch just begun. */
export function keepSpareShim(root: string): void {
  if (spares.has(root) || refills.has(root)) return;
  refills.add(root);
  const refill = async (): Promise<void> => {
    try {
      const shim = await startShim(root);
      if (spares.has(root)) discard(shim);
      else spares.set(root, shim);
    } catch {
      // Without it the next start is only slower.
    } finally {
      refills.delete(root);
    }
  };
  setTimeout(() => void refill(), refillAfterMs).unref();
}

const refillAfterMs = 25;
const spares = new Map<string, SpareShim>();
const refills = new Set<string>();
const swept = new Set<string>();

const spareName = /^\.spare-(\d+)-\w+$/;

function isWaiting({ child, path }: SpareShim): boolean {
  return child.exitCode === null && child.signalCode === null && child.stdin?.writable === true && existsSync(path);
}

async function startShim(root: string): Promise<SpareShim> {
  const poll = await tailPoll();
  mkdirSync(root, { recursive: true, mode: 0o700 });
  if (!swept.has(root)) removeOrphans(root);
  swept.add(root);
  const path = mkdtempSync(join(root, `.spare-${process.pid}-`));
  let environmentFd: number | null = null;
  try {
    for (const name of spareFiles) closeSync(openSync(join(path, name), 'wx', 0o600));
    const environmentPath = join(path, 'environment');
    environmentFd = openSync(environmentPath, 'wx+', 0o600);
    // Only its descriptor leads to it.
    rmSync(environmentPath);
    // In its directory from the first moment: that may be renamed the next. Detached is a session of its own: neither
    // our terminal nor our process group is its end.
    const child = spawn('/bin/sh', [builtFile('process/shim.sh'), poll], {
      cwd: path,
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore', environmentFd],
      env: shimEnvironment,
    });
    await spawned(child);
    return { child, environmentFd, path };
  } catch (error) {
    if (environmentFd !== null) closeSync(environmentFd);
    remove(path);
    throw error;
  }
}

async function spawned(child: ChildProcess): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (cause) =>
      reject(new Fault('launch_failed', `cannot start a shim: ${cause.message}`, { cause })),
    );
  });
  child.unref();
  const pipe = must(child.stdin, 'its stdin is a pipe');
  // It may die before its order: then nobody claims the launch, and starting it reports that.
  pipe.on('error', () => undefined);
  if ('unref' in pipe && typeof pipe.unref === 'function') pipe.unref();
}

/** Whether it is gone. */
function remove(path: string): boolean {
  try {
    rmSync(path, { recursive: true, force: true });
    return true;
  } catch (error) {
    if (errnoOf(error) !== 'ENOTEMPTY') throw error;
    return false;
  }
}

/**
 * Removes directories of killed supervisors, whose shims ended with them. We have no shim yet, so one with our pid is
 * not ours.
 */
function removeOrphans(root: string): void {
  for (const name of readdirSync(root)) {
    const pid = Number(spareName.exec(name)?.[1]);
    if (pid === process.pid || (pid > 0 && !exists(pid))) rmSync(join(root, name), { recursive: true, force: true });
  }
}

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return errnoOf(error) !== 'ESRCH';
  }
}

let polled: Promise<string> | undefined;

/** The polling interval of tail where it gets no notifications, if this tail takes one; else it polls once a second. */
function tailPoll(): Promise<string> {
  polled ??= promisify(execFile)('tail', ['-s', '0.1', '-n', '0', '/dev/null'], { env: { PATH: trustedPath } }).then(
    () => '0.1',
    () => '',
  );
  return polled;
}
