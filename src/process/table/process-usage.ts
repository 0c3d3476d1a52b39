// What one process uses, from /proc. It is read for fifty agents each second, so it reads synchronously into one buffer
// and parses only what has changed. Linux only.

import { closeSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';

export interface Reading {
  /** The words it follows from. */
  readonly stat: Buffer;
  readonly start: string;
  /** Not a process that has ended and was not yet collected. */
  readonly alive: boolean;
  readonly memoryBytes: number;
  readonly cpuMs: number;
}

/** Null if there is no such process. */
export function readAgain(pid: number, last: Reading | null): Reading | null {
  const length = readInto(`/proc/${pid}/stat`);
  // The same `stat`, page faults included, means that the process did nothing: its memory is unchanged too.
  if (last !== null && scratch.compare(last.stat, 0, last.stat.length, 0, length) === 0) return last;
  const fields = fieldsIn(length);
  const start = fields?.[19];
  if (fields === null || start === undefined) return null;
  const stat = Buffer.from(scratch.subarray(0, length));
  const alive = fields[0] !== 'Z';
  const ticks = Number(fields[11]) + Number(fields[12]) + Number(fields[13]) + Number(fields[14]);
  return { stat, start, alive, memoryBytes: alive ? memoryOf(pid) : 0, cpuMs: ticks * tickMs };
}

export function startOf(pid: number): string | null {
  return fieldsIn(readInto(`/proc/${pid}/stat`))?.[19] ?? null;
}

export function pidsNow(): number[] {
  const pids: number[] = [];
  for (const name of readdirSync('/proc')) {
    const first = name.charCodeAt(0);
    if (first >= 0x30 && first <= 0x39) pids.push(Number(name));
  }
  return pids;
}

/** What /proc counts in, on every architecture. */
const tickMs = 10;

function memoryOf(pid: number): number {
  const [, resident, shared] = scratch.toString('latin1', 0, readInto(`/proc/${pid}/statm`)).split(' ');
  return (Number(resident ?? 0) - Number(shared ?? 0)) * pageBytes();
}

let page: number | undefined;

/** Node knows its own resident memory in bytes, /proc in pages. */
function pageBytes(): number {
  if (page === undefined) {
    const pages = Number(readFileSync('/proc/self/statm', 'utf8').split(' ')[1]);
    page = 2 ** Math.round(Math.log2(process.memoryUsage.rss() / pages));
  }
  return page;
}

/** Of the `stat` in the scratch: from the state on, behind the last ')'. */
function fieldsIn(length: number): string[] | null {
  const stat = scratch.toString('latin1', 0, length);
  const close = stat.lastIndexOf(') ');
  return close < 0 ? null : stat.slice(close + 2).split(' ');
}

const scratch = Buffer.alloc(4096);

/** Into the scratch, in half the time of readFileSync; 0 where there is nothing to read. */
function readInto(path: string): number {
  let fd: number | undefined;
  try {
    fd = openSync(path, 'r');
    return readSync(fd, scratch, 0, scratch.length, 0);
  } catch {
    return 0;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
