// The processes of a world, seen from outside: whatever has its directory in its arguments, its environment or as its place.

import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';

export interface Process {
  readonly pid: number;
  readonly command: string;
  /** Its working directory. */
  readonly place: string;
}

/** Looks for them again and again. Only processes started from now on can belong to a new directory. */
export function watchProcesses(dir: string): () => Process[] {
  const since = ticksNow();
  return () =>
    processIds().flatMap((name): Process[] => {
      // One file of each process of the machine, and the three others only of those that are young enough.
      const stat = readStat(name);
      if (stat === null || stat.startedAt < since || stat.isZombie) return [];
      const command = readOr(`/proc/${name}/cmdline`).replaceAll('\0', ' ').trim();
      const place = placeOf(name);
      const traces = [command, place, readOr(`/proc/${name}/environ`)];
      const pid = Number(name);
      return traces.some((trace) => trace.includes(dir)) && isAlive(pid) ? [{ pid, command, place }] : [];
    });
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return readStat(String(pid))?.isZombie !== true;
  } catch {
    return false;
  }
}

export function readOr(path: string, otherwise = ''): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return otherwise;
  }
}

function processIds(): string[] {
  return existsSync('/proc/self/stat') ? readdirSync('/proc').filter((name) => /^\d+$/.test(name)) : [];
}

/** Clock ticks since the machine was started, as in /proc/<pid>/stat; one less, for what begins in this very tick. */
function ticksNow(): number {
  return Math.floor(Number(readOr('/proc/uptime').split(' ')[0]) * 100) - 1;
}

function readStat(pid: string): { readonly isZombie: boolean; readonly startedAt: number } | null {
  const text = readOr(`/proc/${pid}/stat`);
  // The name stands in brackets and may hold anything; the state is the third field, the start the twenty-second.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return text === '' ? null : { isZombie: fields[0] === 'Z', startedAt: Number(fields[19]) };
}

function placeOf(pid: string): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return '';
  }
}
