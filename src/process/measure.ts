// What launches use up, and stopping them in their tracks. One look at the process table serves all launches: fifty
// agents are measured every second. Membership is by pid namespace where there is one, else by mark and family.

import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { errnoOf } from '../std/files.ts';
import { type LaunchDir, launchDir, readInfo } from './launch-dir.ts';
import { hasProc, type MarkedRow, processTable } from './process-table.ts';
import { agentMark } from './spawn.ts';
import { pause } from './waiting.ts';

export interface Measure {
  readonly outBytes: number;
  readonly errBytes: number;
  /** Of all its processes, without what they share with others. 0 where the system does not tell. */
  readonly memoryBytes: number;
  readonly processes: number;
}

/** Of the launches that have a process; the others are left out. */
export async function measureAll(root: string, launchIds: readonly string[]): Promise<Map<string, Measure>> {
  const dirs = launchIds.map((id) => launchDir(root, id));
  const members = await membersOf(dirs);
  const out = new Map<string, Measure>();
  for (const dir of dirs) {
    const pids = members.get(dir.id) ?? [];
    if (pids.length === 0) continue;
    let memoryBytes = 0;
    for (const pid of pids) memoryBytes += privateBytes(pid);
    out.set(dir.id, { outBytes: sizeOf(dir.out), errBytes: sizeOf(dir.err), memoryBytes, processes: pids.length });
  }
  return out;
}

/** Stops or continues every process of a launch: a process that forks while it is being stopped is met in the next look. */
export async function setFrozen(root: string, launchId: string, frozen: boolean): Promise<void> {
  const dir = launchDir(root, launchId);
  const reached = new Set<number>();
  for (let looks = 0; looks < freezeLooksMax; looks++) {
    const pids = ((await membersOf([dir])).get(launchId) ?? []).filter((pid) => !reached.has(pid));
    if (pids.length === 0) return;
    for (const pid of pids) {
      signal(pid, frozen ? 'SIGSTOP' : 'SIGCONT');
      reached.add(pid);
    }
    await pause(freezePauseMs);
  }
}

const freezeLooksMax = 50;
const freezePauseMs = 5;

/** Pids by launch. The namespace's init is not among them: it ignores signals, and what it does costs nothing. */
async function membersOf(dirs: readonly LaunchDir[]): Promise<Map<string, number[]>> {
  const out = new Map<string, number[]>();
  const byNamespace = new Map<string, string>();
  const plain: { dir: LaunchDir; pid: number; start: string }[] = [];
  const inits = new Set<number>();
  for (const dir of dirs) {
    const info = readInfo(dir);
    if (info?.kind === 'process') plain.push({ dir, pid: info.pid, start: info.start });
    if (info?.kind !== 'namespace') continue;
    byNamespace.set(`pid:[${info.inode}]`, dir.id);
    inits.add(info.init);
  }
  if (byNamespace.size > 0) {
    for (const { pid, namespace } of namespaces()) {
      const id = byNamespace.get(namespace);
      if (id !== undefined && !inits.has(pid)) push(out, id, pid);
    }
  }
  if (plain.length > 0) {
    const table = (await processTable()).filter((row) => !row.zombie);
    for (const { dir, pid, start } of plain)
      for (const member of familyOf(dir, pid, start, table)) push(out, dir.id, member);
  }
  return out;
}

function* namespaces(): Generator<{ pid: number; namespace: string }> {
  if (!hasProc) return;
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    if (!Number.isInteger(pid)) continue;
    try {
      yield { pid, namespace: readlinkSync(`/proc/${name}/ns/pid`) };
    } catch {
      // Gone, or another user's: not one of ours.
    }
  }
}

function familyOf(dir: LaunchDir, pid: number, start: string, table: readonly MarkedRow[]): Set<number> {
  const family = new Set<number>();
  for (const row of table) {
    if (row.marks.includes(`${agentMark}=${dir.mark}`) || (row.pid === pid && row.start === start)) family.add(row.pid);
  }
  for (let size = -1; size < family.size; ) {
    size = family.size;
    for (const row of table) if (family.has(row.parent)) family.add(row.pid);
  }
  return family;
}

/** Anonymous memory: what is its own and would not be there without it. */
function privateBytes(pid: number): number {
  if (!hasProc) return 0;
  try {
    return Number(/^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function signal(pid: number, name: 'SIGSTOP' | 'SIGCONT'): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (errnoOf(error) !== 'ESRCH' && errnoOf(error) !== 'EPERM') throw error;
  }
}

function push(map: Map<string, number[]>, key: string, value: number): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}
