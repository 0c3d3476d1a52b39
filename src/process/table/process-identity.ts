// The identity of a process. A pid alone means whichever process has it now; with boot id and start time it means one
// process for ever. Nothing in this folder is signalled without passing here.

import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { ProcessIdentity } from '../../ports/launch-port.ts';
import { errnoOf } from '../../std/files.ts';
import { hasProc, processRow } from './process-table.ts';

/** Whether exactly this process runs. A zombie does not. */
export async function isAlive(identity: ProcessIdentity): Promise<boolean> {
  if (identity.bootId !== (await bootId())) return false;
  const row = await processRow(identity.pid);
  return row !== null && !row.zombie && row.start === identity.start;
}

/** The identity of the process that has this pid now, or null. */
export async function identify(pid: number): Promise<ProcessIdentity | null> {
  const row = await processRow(pid);
  return row === null || row.zombie ? null : { bootId: await bootId(), pid, start: row.start };
}

/** Signals exactly this process; does nothing if it is gone or its pid has gone to another. */
export async function signalProcess(target: Omit<ProcessIdentity, 'bootId'>, signal: NodeJS.Signals): Promise<void> {
  const row = await processRow(target.pid);
  if (row === null || row.start !== target.start || target.pid === process.pid || target.pid <= 1) return;
  try {
    process.kill(target.pid, signal);
  } catch (error) {
    // EPERM: it changed its user. Waiting for its end will report that it did not end.
    if (errnoOf(error) !== 'ESRCH' && errnoOf(error) !== 'EPERM') throw error;
  }
}

let known: Promise<string> | undefined;

export function bootId(): Promise<string> {
  known ??= readBootId();
  return known;
}

async function readBootId(): Promise<string> {
  if (hasProc) return (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim();
  const { stdout } = await promisify(execFile)('/usr/sbin/sysctl', ['-n', 'kern.bootsessionuuid']);
  return stdout.trim();
}
