// The process table of the operating system: /proc on Linux, ps elsewhere. Reads only.

import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { promisify } from 'node:util';

export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** The start time as the system prints it: with boot id and pid it names one process for ever. */
  readonly start: string;
  /** Ended, and not yet collected by its parent. */
  readonly zombie: boolean;
  /** Halted by a signal until it is continued. */
  readonly stopped: boolean;
}

/** A process and the SIGNALBOX_ entries of the environment it was started with; it can hide them. */
export interface MarkedRow extends ProcessRow {
  readonly marks: readonly string[];
}

export const hasProc = process.platform === 'linux';

/** All processes, seen after this call. Callers at the same time share one look: stopping fifty agents is not fifty scans. */
export function processTable(): Promise<readonly MarkedRow[]> {
  if (scanning === null) return beginScan();
  // The running scan may have passed a process that started since: wait for the next one.
  nextScan ??= scanning.then(beginScan, beginScan);
  return nextScan;
}

/** The process that has this pid now, or null. */
export async function processRow(pid: number): Promise<ProcessRow | null> {
  if (!hasProc) return parsePs(await ps(['-o', psColumns, '-p', String(pid)]))[0] ?? null;
  const stat = readProc(`/proc/${pid}/stat`);
  return stat === null ? null : parseStat(stat);
}

let scanning: Promise<readonly MarkedRow[]> | null = null;
let nextScan: Promise<readonly MarkedRow[]> | null = null;

function beginScan(): Promise<readonly MarkedRow[]> {
  nextScan = null;
  const scan = (hasProc ? scanProc() : scanPs()).finally(() => {
    if (scanning === scan) scanning = null;
  });
  scanning = scan;
  return scan;
}

/** Files of /proc are in memory: reading them synchronously takes a tenth of a trip through the thread pool. */
const scanSlice = 32;

async function scanProc(): Promise<readonly MarkedRow[]> {
  const rows: MarkedRow[] = [];
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  for (const [index, pid] of pids.entries()) {
    if (index % scanSlice === scanSlice - 1) await yieldToOthers();
    const stat = readProc(`/proc/${pid}/stat`);
    const row = stat === null ? null : parseStat(stat);
    if (row !== null) rows.push(withMarks(row));
  }
  return rows;
}

/** The environment is read on demand: it is rarely needed, and the most expensive file of all. */
function withMarks(row: ProcessRow): MarkedRow {
  let marks: readonly string[] | null = null;
  return {
    ...row,
    get marks() {
      marks ??= marksIn(readProc(`/proc/${row.pid}/environ`)?.split('\0'));
      return marks;
    },
  };
}

async function scanPs(): Promise<readonly MarkedRow[]> {
  const rows = parsePs(await ps(['-axo', psColumns]));
  const lines = (await ps(['-axEwwo', 'pid=,command='])).split('\n');
  const words = new Map(lines.map((line) => [Number.parseInt(line, 10), line.split(' ')]));
  return rows.map((row) => ({ ...row, marks: marksIn(words.get(row.pid)) }));
}

export function marksIn(entries: readonly string[] | undefined): string[] {
  return entries?.filter((entry) => entry.startsWith('SIGNALBOX_')) ?? [];
}

/** Fields are counted from the last ')': a command may be named "a) R 1". */
export function parseStat(stat: string): ProcessRow | null {
  const close = stat.lastIndexOf(') ');
  const fields = stat.slice(close + 2).split(' ');
  const [state, parent, group, session] = fields;
  const start = fields[19];
  if (close < 0 || state === undefined || start === undefined) return null;
  return {
    pid: Number.parseInt(stat, 10),
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    start,
    zombie: state === 'Z' || state === 'X',
    stopped: state === 'T',
  };
}

const psColumns = 'pid=,ppid=,pgid=,sess=,stat=,lstart=';

export function parsePs(text: string): ProcessRow[] {
  return text.split('\n').flatMap((line) => {
    const [pid, parent, group, session, state, ...start] = line.trim().split(/\s+/);
    if (!pid || state === undefined) return [];
    return {
      pid: Number(pid),
      parent: Number(parent),
      group: Number(group),
      // macOS shows a kernel address or 0 here; nothing may be concluded from it.
      session: Number(session) || 0,
      start: start.join(' '),
      zombie: state.startsWith('Z'),
      stopped: state.startsWith('T'),
    };
  });
}

/** A process may end, or belong to another user, between being listed and being read. */
export function readProc(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

const run = promisify(execFile);

export async function ps(args: readonly string[]): Promise<string> {
  // The words of lstart depend on locale and time zone; the shim has the same two settings.
  const env = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };
  return run('ps', args, { env, maxBuffer: 64 * 1024 * 1024 }).then(
    ({ stdout }) => stdout,
    // ps fails where no process matches.
    () => '',
  );
}
