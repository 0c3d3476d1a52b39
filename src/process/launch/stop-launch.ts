// Ends the processes of a launch. A process is signalled only when more than its pid shows that it belongs to the
// launch; one that may be a stranger is left alone.

import { readFile, readlink, rm } from 'node:fs/promises';
import type { ProcessIdentity } from '../../ports/launch-port.ts';
import { Fault } from '../../std/fault.ts';
import { signalProcess } from '../table/process-identity.ts';
import { hasProc, type ProcessRow, processRow, processTable } from '../table/process-table.ts';
import { type LaunchDir, type LaunchInfo, readInfo } from './launch-dir.ts';
import { pause } from './poll-wait.ts';
import { agentMark, shimMark } from './spawn.ts';

/**
 * Sends TERM to the agent itself. A namespace's init would ignore it, and bwrap would kill the agent without asking.
 */
export async function terminateAgent(dir: LaunchDir): Promise<boolean> {
  const info = readInfo(dir);
  if (info === null) return false;
  const agent = await agentProcess(dir, info);
  if (agent !== null) await signalProcess(agent, 'SIGTERM');
  return agent !== null;
}

/** Kills the agent and all its known processes, but neither shim nor drains: they finish and write `rc`. */
export async function killAgent(dir: LaunchDir): Promise<void> {
  const info = readInfo(dir);
  if (info === null) return;
  for (const row of await agentProcesses(dir, info)) await signalProcess(row, 'SIGKILL');
}

/** Kills what is left of a launch whose shim is gone or useless, until two looks in a row find nothing. */
export async function sweep(dir: LaunchDir, shim: ProcessIdentity | null): Promise<void> {
  const deadline = Date.now() + sweepMaxMs;
  // While a namespace is being set up its processes may change between two looks.
  for (let clean = 0; clean < 2; ) {
    const found = await leftovers(dir, shim);
    clean = found.length === 0 ? clean + 1 : 0;
    for (const row of found) await signalProcess(row, 'SIGKILL');
    if (Date.now() > deadline)
      throw new Fault('timed_out', `${found.length} processes of launch ${dir.id} survive SIGKILL`);
    await pause(sweepPauseMs);
  }
  await rm(`${dir.path}/pair.fifo`, { force: true });
}

const sweepMaxMs = 10_000;
const sweepPauseMs = 5;

async function leftovers(dir: LaunchDir, shim: ProcessIdentity | null): Promise<ProcessRow[]> {
  const table = (await processTable()).filter((row) => !row.zombie);
  const marks = [`${shimMark}=${dir.mark}`, `${agentMark}=${dir.mark}`];
  const marked = table.filter((row) => isSince(row, shim) && row.marks.some((mark) => marks.includes(mark)));
  const info = readInfo(dir);
  const agents = info === null ? [] : await agentProcesses(dir, info);
  return [...marked, ...agents, ...orphanedGroup(shim, table)];
}

/** Whether it can be a descendant of the shim: those started later, or in the same clock tick. */
function isSince(row: ProcessRow, shim: ProcessIdentity | null): boolean {
  // On other systems the start time is a text.
  return shim === null || !hasProc || Number(row.start) >= Number(shim.start);
}

/**
 * The shim's process group: a helper gets its mark with its program, a moment after it was forked. A group's number is
 * not given away while it has members, so as long as no new process has it they are the shim's.
 */
function orphanedGroup(shim: ProcessIdentity | null, table: readonly ProcessRow[]): readonly ProcessRow[] {
  if (shim === null) return [];
  const leader = table.find((row) => row.pid === shim.pid);
  if (leader !== undefined && leader.start !== shim.start) return [];
  return table.filter((row) => row.group === shim.pid && row.pid !== process.pid);
}

async function agentProcesses(dir: LaunchDir, info: LaunchInfo): Promise<readonly ProcessRow[]> {
  if (info.kind === 'namespace') {
    const init = await namespaceInit(dir, info);
    return init === null ? [] : [init];
  }
  return membersOf(dir, info);
}

/** Every known process of the agent, without shim, drains and the namespace's init. */
export async function membersOf(dir: LaunchDir, info: LaunchInfo): Promise<readonly ProcessRow[]> {
  const table = (await processTable()).filter((row) => !row.zombie);
  if (info.kind === 'namespace') {
    const init = await namespaceInit(dir, info);
    // Orphans become children of init, so its descendants are all processes of the namespace.
    return init === null ? [] : familyOf(init, table).filter((row) => row.pid !== init.pid);
  }
  const marked = table.filter((row) => row.marks.includes(`${agentMark}=${dir.mark}`));
  const agent = table.find((row) => row.pid === info.pid && row.start === info.start);
  return agent === undefined ? marked : [...marked, ...familyOf(agent, table)];
}

async function agentProcess(dir: LaunchDir, info: LaunchInfo): Promise<ProcessRow | null> {
  if (info.kind === 'process') {
    const row = await processRow(info.pid);
    return row !== null && row.start === info.start && !row.zombie ? row : null;
  }
  const init = await namespaceInit(dir, info);
  if (init === null) return null;
  // Orphans become children of init as well; the agent is the first process it made.
  for (const row of await processTable()) {
    if (row.parent === init.pid && !row.zombie && (await pidInNamespace(row.pid)) === 2) return row;
  }
  return null;
}

/** A living process, its descendants, and its session: a session's number is its leader's as long as it lives. */
function familyOf(agent: ProcessRow, table: readonly ProcessRow[]): ProcessRow[] {
  const family = new Set([agent.pid]);
  for (let size = 0; size < family.size; ) {
    size = family.size;
    for (const row of table) if (family.has(row.parent)) family.add(row.pid);
  }
  return table.filter((row) => family.has(row.pid) || row.session === agent.pid);
}

/**
 * A later namespace may have the same inode and pid, so init must also have the mark from our shim. Where nobody can read its
 * environment, its parent has it: the bubblewrap that started it, without which it dies.
 */
export async function namespaceInit(
  dir: LaunchDir,
  info: LaunchInfo & { kind: 'namespace' },
): Promise<ProcessRow | null> {
  const row = await processRow(info.init);
  if (row === null || row.zombie) return null;
  const namespace = await readlink(`/proc/${info.init}/ns/pid`).catch(() => null);
  if (namespace !== `pid:[${info.inode}]` || (await pidInNamespace(info.init)) !== 1) return null;
  const isMarked = async (pid: number): Promise<boolean> => {
    const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => null);
    return environment?.split('\0').includes(`${shimMark}=${dir.mark}`) === true;
  };
  return (await isMarked(info.init)) || (await isMarked(row.parent)) ? row : null;
}

async function pidInNamespace(pid: number): Promise<number | null> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const pids = /^NSpid:\s+(.*)$/m.exec(status)?.[1]?.split(/\s+/);
  return pids === undefined ? null : Number(pids.at(-1));
}
