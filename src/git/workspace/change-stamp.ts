// Moments of the file system. Whatever is done to a file or directory after a stamp was set has a later change time,
// which nobody can set at will. That holds while the clock runs evenly, so a moment also records the time of both
// clocks.

import { lstatSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { lstat, mkdir, rename, rm } from 'node:fs/promises';
import { uptime } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { diskFault } from '../../std/files.ts';
import { createMemory } from '../commands/memoize-by-commit.ts';

export interface Moment {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Seconds since the machine was started. */
  readonly up: number;
}

/**
 * Returns when every later change in this file system will be seen as later. In place: these are operations of
 * microseconds, of which a trip through the thread pool would be most.
 */
export async function setStamp(path: string): Promise<Moment> {
  const probePath = `${path}.probe`;
  try {
    writeFileSync(path, '');
    const moment = { at: Date.now(), up: uptime() };
    const set = changedAt(path);
    rmSync(probePath, { force: true });
    // The file system's clock ticks a few hundred times a second.
    for (let now = set; now <= set; now = probe(probePath)) await delay(tickMs);
    return moment;
  } catch (error) {
    throw diskFault(error, path);
  }
}

/** Whether the clock has run evenly since, and the machine without a restart. */
export function isComparable({ at, up }: Moment, withinMs = driftMaxMs): boolean {
  return Math.abs(Date.now() - at - (uptime() - up) * 1000) <= withinMs;
}

/** Whether moving a file updates its change time in this file system, as it does in most. */
export async function movesShow(scratch: string): Promise<boolean> {
  const { dev } = await lstat(scratch);
  return shown([String(dev)], () => tryMove(scratch));
}

const shown = createMemory<boolean>();

async function tryMove(scratch: string): Promise<boolean> {
  const [from, to, stamp] = [`${scratch}/from`, `${scratch}/to`, `${scratch}/stamp`];
  try {
    await mkdir(from);
    await setStamp(stamp);
    await rename(from, to);
    return changedAt(to) > changedAt(stamp);
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

/** The time of a file made now. */
function probe(path: string): bigint {
  writeFileSync(path, '');
  const made = changedAt(path);
  unlinkSync(path);
  return made;
}

function changedAt(path: string): bigint {
  return lstatSync(path, { bigint: true }).ctimeNs;
}
