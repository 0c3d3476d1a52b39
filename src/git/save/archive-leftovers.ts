// Keeps what a commit cannot hold: an archive beside the saved work, outside the workspace. What is too large for it
// stays where it is, and its workspace is kept.

import { lstat, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { trustedPath } from '../../process/confine.ts';
import { Fault } from '../../std/fault.ts';
import { diskFault, syncDirectory } from '../../std/files.ts';
import { lastLine } from '../commands/failure-line.ts';
import { runChild } from '../commands/run-process.ts';
import { shownName } from '../commands/tree-index.ts';
import type { Leftover } from './leftovers.ts';
import { type ArchiveLimits, type Weighed, type Worth, weigh } from './leftovers-to-keep.ts';

export interface ArchivePlace extends Weighed {
  readonly scratch: string;
  readonly archives: string;
  readonly attemptId: string;
}

export const usualArchiveLimits: ArchiveLimits = { bytesMax: 2 ** 30, filesMax: 100_000 };

export interface Archived {
  /** null: there was nothing to keep. */
  readonly path: string | null;
  /** Neither in the commit nor in the archive, and irreplaceable: a reason to keep the workspace. */
  readonly left: readonly string[];
  readonly notes: readonly string[];
}

export async function archiveLeftovers(
  place: ArchivePlace,
  leftovers: readonly Leftover[],
  limits: ArchiveLimits,
  signal: AbortSignal,
): Promise<Archived> {
  const worth = await weigh(place, leftovers, limits, signal);
  if (worth.files.length === 0) return { path: null, left: worth.left, notes: notesOf(worth, null) };
  const path = archivePath(place.archives, place.attemptId);
  await pack(place, worth.files, path, signal);
  return { path, left: worth.left, notes: notesOf(worth, path) };
}

/** null: there is none. */
export async function archiveOf({ archives }: { archives: string }, attemptId: string): Promise<string | null> {
  const path = archivePath(archives, attemptId);
  return (await lstat(path).catch(() => null)) === null ? null : path;
}

function archivePath(archives: string, attemptId: string): string {
  return join(archives, `${attemptId}.tar.gz`);
}

async function pack(place: ArchivePlace, files: readonly string[], path: string, signal: AbortSignal): Promise<void> {
  const made = join(place.scratch, 'leftovers.tar.gz');
  // With a "./" prefix no name can be taken for an option.
  const input = Buffer.from(files.map((name) => `./${name}\0`).join(''), 'latin1');
  const argv = ['tar', '-c', '-z', '-f', made, '--null', '--no-recursion', '-T', '-'];
  const env = { PATH: trustedPath, LC_ALL: 'C' };
  let said = '';
  const onOutput = (chunk: Buffer): boolean => {
    said = (said + chunk.toString('utf8')).slice(-saidKept);
    return true;
  };
  const order = { argv, cwd: place.workspace, env, input, timeoutMs: packTimeoutMs, graceMs: 0, onOutput };
  const end = await runChild(order, signal);
  // 1: some file changed while it was read; everything readable is in the archive.
  if (end.kind !== 'exited' || end.code > 1) {
    await rm(made, { force: true });
    const full = /No space left on device/.test(said);
    throw new Fault(
      full ? 'disk_full' : 'git_failed',
      `tar could not archive the ignored files: ${lastLine(said) || end.kind}`,
    );
  }
  try {
    await rename(made, path);
    await syncDirectory(place.archives);
  } catch (error) {
    throw diskFault(error, path);
  }
}

const packTimeoutMs = 15 * 60_000;
const saidKept = 4096;

function notesOf({ kept, left, disposable }: Worth, path: string | null): string[] {
  const notes: string[] = [];
  if (path !== null) {
    const kinds = (Object.keys(kindWords) as Leftover['kind'][]).flatMap((kind) => {
      const names = kept.filter((each) => each.kind === kind).map(({ name }) => name);
      return names.length === 0 ? [] : [`${kindWords[kind]} ${listed(names)}`];
    });
    notes.push(`not in the commit but kept in ${path}: ${kinds.join('; ')}`);
  }
  if (left.length > 0) notes.push(`too much to keep, so it is only in the workspace: ${listed(left)}`);
  if (disposable.length > 0) notes.push(`not kept, since a tool can make it again: ${listed(disposable)}`);
  return notes;
}

const kindWords: Readonly<Record<Leftover['kind'], string>> = {
  ignored: 'ignored',
  nested: 'nested repository',
  large: 'over the limit for one file',
  unsaved: 'not taken by git',
};

function listed(names: readonly string[]): string {
  const shown = [...names].sort().slice(0, shownMax).map(shownName);
  return names.length > shownMax ? `${shown.join(', ')} and ${names.length - shownMax} more` : shown.join(', ');
}

const shownMax = 10;
