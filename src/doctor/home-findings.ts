// Findings about Signalbox's home: whether it can be written, how much space is free, the state of the journal, and whether a
// daemon is running. If there is no home yet, its future parent directory is examined.

import { accessSync, constants, lstatSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errnoOf } from '../std/files.ts';
import type { PricesView, StatusView } from '../wire/status-views.ts';
import type { Diagnosis, Finding, JournalState } from './finding.ts';

const mib = 2 ** 20;

/** `status` asks a running daemon and starts none; null = none is running. */
export async function homeFindings(
  home: string,
  diagnosis: Diagnosis,
  status: () => Promise<StatusView | null>,
): Promise<readonly Finding[]> {
  const { there, flaw } = lookAt(home);
  return [
    homeFinding(home, there, flaw),
    ...roomFindings(nearest(home), diagnosis.freeBytesMin),
    journalFinding(home, await diagnosis.journal()),
    pricesFinding(diagnosis.prices()),
    await daemonFinding(status),
  ];
}

function homeFinding(home: string, there: boolean, flaw: string | null): Finding {
  const common = { name: 'home', required: true };
  if (flaw === null) {
    const says = there ? `${home} is writable.` : `${home} will be created by the first daemon.`;
    return { ...common, state: 'ok', says, fix: null };
  }
  const fix = `Make it a directory that you own and can write, or set SIGNALBOX_HOME to another place.`;
  return { ...common, state: 'missing', says: `${home} cannot be used: ${flaw}.`, fix };
}

/** `flaw`: why a daemon could not use it; null = it could. */
function lookAt(home: string): { there: boolean; flaw: string | null } {
  const found = lstatSync(home, { throwIfNoEntry: false });
  try {
    if (found === undefined) {
      accessSync(nearest(home), constants.W_OK);
      return { there: false, flaw: null };
    }
    if (!found.isDirectory()) return { there: true, flaw: 'it is not a directory' };
    if (found.uid !== process.getuid?.()) return { there: true, flaw: 'it belongs to another user' };
    // Write a file instead of checking permissions: for root, access checks pass even on a read-only file system.
    const file = join(home, `.doctor-${process.pid}`);
    writeFileSync(file, '');
    rmSync(file);
    return { there: true, flaw: null };
  } catch (error) {
    const code = errnoOf(error) ?? '';
    return { there: found !== undefined, flaw: flaws[code] ?? String(error) };
  }
}

const flaws: Readonly<Record<string, string>> = {
  EACCES: 'no permission to write there',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space is left on the disk',
  EDQUOT: 'your disk quota is exhausted',
};

/** The directory itself, or its nearest existing parent. */
function nearest(path: string): string {
  const above = dirname(path);
  if (above === path || lstatSync(path, { throwIfNoEntry: false }) !== undefined) return path;
  return nearest(above);
}

function roomFindings(path: string, freeBytesMin: number): readonly Finding[] {
  const { bavail, bsize, type } = statfsSync(path);
  const free = bavail * bsize;
  const room: Finding = {
    name: 'disk',
    required: true,
    state: free < freeBytesMin ? 'missing' : 'ok',
    says: `${showBytes(free)} free${free < freeBytesMin ? `; below ${showBytes(freeBytesMin)} agents are frozen` : ''}.`,
    fix:
      free < freeBytesMin ? `Free some space, set SIGNALBOX_HOME to another disk, or lower SIGNALBOX_FREE_MIN.` : null,
  };
  const kind = process.platform === 'linux' ? networkKinds.get(type) : undefined;
  if (kind === undefined) return [room];
  const network: Finding = {
    name: 'file system',
    required: false,
    state: 'degraded',
    says: `The home is on ${kind}: locking and durability depend on its server.`,
    fix: 'Set SIGNALBOX_HOME to a local disk.',
  };
  return [room, network];
}

/** By the magic number of statfs(2). */
const networkKinds: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB'],
  [0x01021997, '9p'],
  [0x65735546, 'FUSE'],
  [0x5346414f, 'AFS'],
  [0x00c36400, 'Ceph'],
  [0x0bd00bd0, 'Lustre'],
  [0x786f4256, 'a VirtualBox share'],
]);

function journalFinding(home: string, state: JournalState): Finding {
  const common = { name: 'journal', required: true };
  switch (state.kind) {
    case 'none':
      return { ...common, state: 'ok', says: 'No journal yet.', fix: null };
    case 'readable':
      return { ...common, state: 'ok', says: `The journal is readable, format ${state.format}.`, fix: null };
    case 'older': {
      const says = 'The journal was written by a Signalbox before 0.2.0, which this version cannot read.';
      const fix = `Move ${home} aside, or set SIGNALBOX_HOME to another directory.`;
      return { ...common, state: 'missing', says, fix };
    }
    case 'unreadable': {
      const says = `The journal cannot be read: ${state.why}.`;
      if (!state.damaged)
        return {
          ...common,
          state: 'degraded',
          says,
          fix: 'Start the daemon with `signalbox up`: it reports the cause.',
        };
      const fix = 'Keep the file and run `signalbox verify`; restore it from a backup, or use another home.';
      return { ...common, state: 'missing', says, fix };
    }
  }
}

export function pricesFinding({ listedOn, path, own, flaw }: PricesView): Finding {
  const common = { name: 'prices', required: false };
  if (flaw !== null) return { ...common, state: 'degraded', says: `${flaw}.`, fix: 'Correct that file, or remove it.' };
  const mine = own === 0 ? '' : `, and ${own} of your own in ${path}`;
  const says = `Costs that an agent does not report are estimated with list prices of ${listedOn}${mine}.`;
  return { ...common, state: 'ok', says, fix: null };
}

async function daemonFinding(ask: () => Promise<StatusView | null>): Promise<Finding> {
  const common = { name: 'daemon', required: true };
  try {
    const status = await ask();
    if (status === null)
      return { ...common, state: 'ok', says: 'No daemon is running; the next run starts one.', fix: null };
    const says = `The daemon is running: version ${status.version}, pid ${status.pid}.`;
    if (status.trouble === null) return { ...common, state: 'ok', says, fix: null };
    const fix = 'Fix the cause; the daemon tries again by itself.';
    return { ...common, state: 'degraded', says: `${says} Its last error: ${status.trouble.message}.`, fix };
  } catch (error) {
    // Any error is a finding: doctor must work where nothing else does.
    const fix = 'See daemon.log in the home, or end the process named in daemon.json. Agents continue meanwhile.';
    return { ...common, state: 'missing', says: `The daemon does not answer: ${(error as Error).message}.`, fix };
  }
}

function showBytes(bytes: number): string {
  return bytes < 1024 * mib ? `${Math.round(bytes / mib)} MiB` : `${(bytes / 1024 / mib).toFixed(1)} GiB`;
}
