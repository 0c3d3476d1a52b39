// What launches use: processes, memory, processor time. It is asked for fifty of them every second, so a round reads
// only what it must: the list of all pids, and two small files for each process that is known to belong to a launch. A
// new pid is assigned to its launch by its parent, its session or its mark.

import { type LaunchDir, type LaunchInfo, readInfo } from '../launch/launch-dir.ts';
import { agentMark } from '../launch/spawn.ts';
import { namespaceInit } from '../launch/stop-launch.ts';
import { roundByPs } from './census-ps.ts';
import type { Usage } from './launch-usage.ts';
import { hasProc, marksIn, parseStat, readProc } from './process-table.ts';
import { pidsNow, type Reading, readAgain, startOf } from './process-usage.ts';

export interface Census {
  /**
   * The launches with living processes. Known processes of launches that are not `due` are not read again: the result
   * is the same object as in the round before.
   */
  round(dirs: readonly LaunchDir[], due: ReadonlySet<string>): Promise<ReadonlyMap<string, Usage>>;
}

/** After this many rounds everything is read again: a pid may have been reused unnoticed. */
const forgetRounds = 60;

interface Member {
  readonly root: Root;
  readonly start: string;
  /** As it was in the round before. */
  last?: Reading;
}

/** The root of a launch's processes: the init of its namespace, or the agent itself. */
interface Root {
  readonly dir: LaunchDir;
  readonly pid: number;
  readonly start: string;
  readonly isInit: boolean;
}

export function createCensus(): Census {
  const roots = new Map<string, Root>();
  let members = new Map<number, Member>();
  let strangers = new Set<number>();
  let before: ReadonlyMap<string, Usage> = new Map();
  let rounds = 0;

  const round: Census['round'] = async (dirs, due) => {
    rounds += 1;
    if (rounds % forgetRounds === 0) {
      before = new Map();
      members = new Map();
      strangers = new Set();
    }
    if (await learnRoots(roots, dirs)) strangers = new Set();
    for (const [pid, { root }] of members) if (roots.get(root.dir.id) !== root) members.delete(pid);
    for (const root of roots.values()) {
      if (!members.has(root.pid)) members.set(root.pid, { root, start: root.start });
    }
    const totals = new Map([...before].filter(([id]) => !due.has(id) && roots.has(id)));
    const still = new Set(totals.keys());
    // Known processes first: only those that are still the same have children of ours.
    for (const [pid, member] of members) {
      if (still.has(member.root.dir.id)) continue;
      if (!isInitOf(member, pid) && !count(pid, member, totals)) members.delete(pid);
    }
    // A namespace's init lives as long as any other process in it.
    for (const [id, root] of roots) {
      if (!root.isInit || totals.has(id) || isThere(root)) continue;
      roots.delete(id);
      members.delete(root.pid);
    }
    const known = strangers;
    strangers = new Set();
    const newcomers: number[] = [];
    for (const pid of pidsNow()) {
      if (members.has(pid)) continue;
      if (known.has(pid)) strangers.add(pid);
      else newcomers.push(pid);
    }
    for (const [pid, member] of place(newcomers, members, strangers, roots)) count(pid, member, totals);
    before = totals;
    return totals;
  };
  return { round: hasProc ? round : roundByPs };
}

/** True if there is a new one: unknown processes may belong to it. */
async function learnRoots(roots: Map<string, Root>, dirs: readonly LaunchDir[]): Promise<boolean> {
  const wanted = new Set(dirs.map((dir) => dir.id));
  for (const id of roots.keys()) if (!wanted.has(id)) roots.delete(id);
  let learned = false;
  for (const dir of dirs) {
    if (roots.has(dir.id)) continue;
    const info = readInfo(dir);
    const root = info === null ? null : await rootOf(dir, info);
    if (root === null) continue;
    roots.set(dir.id, root);
    learned ||= root.pid !== nobody;
  }
  return learned;
}

async function rootOf(dir: LaunchDir, info: LaunchInfo): Promise<Root | null> {
  if (info.kind === 'process') {
    const row = parseStat(readProc(`/proc/${info.pid}/stat`) ?? '');
    // Its remaining processes are recognised by their mark.
    return { dir, pid: row?.start === info.start ? info.pid : nobody, start: info.start, isInit: false };
  }
  const init = await namespaceInit(dir, info);
  return init === null ? null : { dir, pid: init.pid, start: init.start, isInit: true };
}

/** No process has it, nor is it anybody's session. */
const nobody = -1;

/** Those that belong to a launch, which are members from now on. */
function place(
  newcomers: readonly number[],
  members: Map<number, Member>,
  strangers: Set<number>,
  roots: ReadonlyMap<string, Root>,
): [number, Member][] {
  const plain = [...roots.values()].filter((root) => !root.isInit);
  const rows = newcomers.flatMap((pid) => parseStat(readProc(`/proc/${pid}/stat`) ?? '') ?? []);
  // A parent may stand after its child.
  for (let placed = -1; placed !== members.size; ) {
    placed = members.size;
    for (const row of rows) {
      if (members.has(row.pid)) continue;
      const parent = members.get(row.parent)?.root ?? plain.find((root) => root.pid === row.session);
      if (parent !== undefined) members.set(row.pid, { root: parent, start: row.start });
    }
  }
  for (const row of rows) {
    if (members.has(row.pid)) continue;
    const marks = plain.length === 0 ? [] : marksIn(readProc(`/proc/${row.pid}/environ`)?.split('\0'));
    const root = plain.find(({ dir }) => marks.includes(`${agentMark}=${dir.mark}`));
    if (root === undefined) strangers.add(row.pid);
    else members.set(row.pid, { root, start: row.start });
  }
  return rows.flatMap(({ pid }): [number, Member][] => {
    const member = members.get(pid);
    return member === undefined ? [] : [[pid, member]];
  });
}

function isInitOf({ root }: Member, pid: number): boolean {
  return root.isInit && root.pid === pid;
}

function isThere({ pid, start }: Root): boolean {
  return startOf(pid) === start;
}

/** False if it is gone. */
function count(pid: number, member: Member, totals: Map<string, Usage>): boolean {
  const reading = readAgain(pid, member.last ?? null);
  if (reading === null || reading.start !== member.start) return false;
  member.last = reading;
  const before = totals.get(member.root.dir.id) ?? { processes: 0, memoryBytes: 0, cpuMs: 0 };
  totals.set(member.root.dir.id, {
    processes: before.processes + (reading.alive ? 1 : 0),
    memoryBytes: before.memoryBytes + reading.memoryBytes,
    cpuMs: before.cpuMs + reading.cpuMs,
  });
  return true;
}
