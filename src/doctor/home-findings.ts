// Findings about Signalbox's home: whether it can be written, how much space is free, the state of the journal, and
// whether a daemon is running. Where there is no home yet, the directory that it would be made in is examined.

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
  const common = { name: 'home', vital: true };
  if (flaw === null) {
    const says = there ? `${home} can be written.` : `${home} is made by the first daemon.`;
    return { ...common, state: 'ok', says, mend: null };
  }
  const mend = `Make it a directory of your own that you can write, or set SIGNALBOX_HOME to another place.`;
  return { ...common, state: 'missing', says: `${home} cannot be used: ${flaw}.`, mend };
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
    if (found.uid !== process.getuid?.()) return { there: true, flaw: "it is another user's" };
    // Tried and not asked: a file system that is mounted for reading lets root pass every question.
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
  EACCES: 'you have no permission to write there',
  EROFS: 'it lies on a file system that can only be read',
  ENOSPC: 'no space is left there',
  EDQUOT: 'your quota there is used up',
};

/** The directory itself, or the one above it that exists. */
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
    vital: true,
    state: free < freeBytesMin ? 'missing' : 'ok',
    says: `${showBytes(free)} are free${free < freeBytesMin ? `; below ${showBytes(freeBytesMin)} agents are frozen` : ''}.`,
    mend:
      free < freeBytesMin ? `Free some space, set SIGNALBOX_HOME to another disk, or lower SIGNALBOX_FREE_MIN.` : null,
  };
  const kind = process.platform === 'linux' ? networkKinds.get(type) : undefined;
  if (kind === undefined) return [room];
  const network: Finding = {
    name: 'file system',
    vital: false,
    state: 'weaker',
    says: `The home lies on ${kind}: locks and the journal's durability are only as good as the server's.`,
    mend: 'Set SIGNALBOX_HOME to a local disk.',
  };
  return [room, network];
}

/** By the number that statfs(2) calls them. */
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
  const common = { name: 'journal', vital: true };
  switch (state.kind) {
    case 'none':
      return { ...common, state: 'ok', says: 'There is none yet.', mend: null };
    case 'readable':
      return { ...common, state: 'ok', says: `It can be read and has format ${state.format}.`, mend: null };
    case 'older': {
      const says = 'It was written by a Signalbox before 0.2.0, which this version cannot read.';
      const mend = `Move ${home} aside, or set SIGNALBOX_HOME to another directory.`;
      return { ...common, state: 'missing', says, mend };
    }
    case 'unreadable': {
      const says = `It cannot be read: ${state.why}.`;
      if (!state.damaged) return { ...common, state: 'weaker', says, mend: 'Start the daemon: it tells more.' };
      const mend = 'Keep the file. See what `signalbox verify` says; restore it from a backup, or use another home.';
      return { ...common, state: 'missing', says, mend };
    }
  }
}

export function pricesFinding({ listedOn, path, own, flaw }: PricesView): Finding {
  const common = { name: 'prices', vital: false };
  if (flaw !== null) return { ...common, state: 'weaker', says: `${flaw}.`, mend: 'Mend that file, or remove it.' };
  const mine = own === 0 ? '' : `, and ${own} of your own in ${path}`;
  const says = `Costs that no agent tells are estimated with list prices of ${listedOn}${mine}.`;
  return { ...common, state: 'ok', says, mend: null };
}

async function daemonFinding(ask: () => Promise<StatusView | null>): Promise<Finding> {
  const common = { name: 'daemon', vital: true };
  try {
    const status = await ask();
    if (status === null)
      return { ...common, state: 'ok', says: 'None is running; the next run starts one.', mend: null };
    const says = `It is running: ${status.version}, pid ${status.pid}.`;
    if (status.trouble === null) return { ...common, state: 'ok', says, mend: null };
    const mend = 'Mend that; the daemon tries again by itself.';
    return { ...common, state: 'weaker', says: `${says} It has trouble: ${status.trouble.message}.`, mend };
  } catch (error) {
    // Whatever it is: this verb is for machines where things do not work.
    const mend = 'See daemon.log in the home; end the process that daemon.json names. Agents go on meanwhile.';
    return { ...common, state: 'missing', says: `It cannot be spoken to: ${(error as Error).message}.`, mend };
  }
}

function showBytes(bytes: number): string {
  return bytes < 1024 * mib ? `${Math.round(bytes / mib)} MiB` : `${(bytes / 1024 / mib).toFixed(1)} GiB`;
}
