// Moments of the file system. Whatever is done to a file or directory after a stamp was set has a later change time, which
// nobody can set at will; that holds while the clock runs evenly, so a moment also says when it was by both clocks.

import { lstat, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { uptime } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { diskFault } from '../std/files.ts';

export interface Moment {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Seconds since the machine was started. */
  readonly up: number;
}

/** Returns when every later change in this file system will be seen as later. */
export async function setStamp(path: string): Promise<Moment> {
  try {
    await writeFile(path, '');
    const moment = { at: Date.now(), up: uptime() };
    const set = await changedAt(path);
    // The file system's clock ticks a few hundred times a second.
    for (let now = set; now <= set; now = await probe(`${path}.probe`)) await delay(tickMs);
    await rm(`${path}.probe`, { force: true });
    return moment;
  } catch (error) {
    throw diskFault(error, path);
  }
}

/** Whether the clock has run evenly since, and the machine without a restart. */
export function isComparable({ at, up }: Moment, withinMs = driftMaxMs): boolean {
  return Math.abs(Date.now() - at - (uptime() - up) * 1000) <= withinMs;
}

/** Whether something that is moved has a later change time in this file system, as it has in most. */
export async function movesShow(scratch: string): Promise<boolean> {
  const [from, to, stamp] = [`${scratch}/from`, `${scratch}/to`, `${scratch}/stamp`];
  try {
    await mkdir(from);
    await setStamp(stamp);
    await rename(from, to);
    return (await changedAt(to)) > (await changedAt(stamp));
  } catch (error) {
    throw diskFault(error, scratch);
  } finally {
    for (const path of [from, to, stamp]) await rm(path, { recursive: true, force: true });
  }
}

/** null: there is nothing. */
export async function inodeOf(path: string): Promise<string | null> {
  const found = await lstat(path, { bigint: true }).catch(() => null);
  return found === null ? null : String(found.ino);
}

const tickMs = 2;
const driftMaxMs = 1_000;

async function probe(path: string): Promise<bigint> {
  await rm(path, { force: true });
  await writeFile(path, '');
  return changedAt(path);
}

async function changedAt(path: string): Promise<bigint> {
  return (await lstat(path, { bigint: true })).ctimeNs;
}
