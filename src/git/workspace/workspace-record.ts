// What we know of a workspace, kept outside of it: what it began with and, once its work is saved, what was left out.
// Only we write it, so nothing that an agent does to its directory changes it.

import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { diskFault, readIfThere, writeAtomic } from '../../std/files.ts';
import type { Layout } from '../commands/layout.ts';
import type { IncludedFile } from '../setup/worktree-include.ts';
import type { Moment } from './change-stamp.ts';

export interface WorkspaceRecord {
  /** The name of its bare repository. */
  readonly project: string;
  readonly base: string;
  readonly included: readonly IncludedFile[];
  /** The first of its block; null: it has none. */
  readonly port: number | null;
  /** When its files were as the index beside this record says, before an agent used them. */
  readonly made: Moment;
  /** What its setup made that git ignores; null: the setup did not finish, and no agent has worked there. */
  readonly setup?: readonly string[] | null;
  /** Which kept result that is equal to, and the inode of each name; null: to none. */
  readonly setupEqual?: { readonly origin: string; readonly inodes: readonly (string | null)[] } | null;
  /** null: its work is not saved. */
  readonly saved: SavedRecord | null;
}

export interface SavedRecord {
  readonly commit: string;
  /** true: it was never to be kept, and the commit is its base. */
  readonly thrownAway?: boolean;
  /** true: it was untouched when its stamp was set, its git directory included. */
  readonly untouched?: boolean;
  /** Names of what exists only in the workspace. */
  readonly left: readonly string[];
  readonly at: Moment;
}

export interface RecordPlace {
  readonly folder: string;
  readonly index: string;
  /** Files whose times say what is newer. */
  readonly madeStamp: string;
  /** If it is nothing but its base: when it was handed over. */
  readonly handedStamp: string;
  readonly readyStamp: string;
  readonly savedStamp: string;
}

export function recordPlace(layout: Layout, attemptId: string): RecordPlace {
  const folder = join(layout.records, attemptId);
  const at = (name: string): string => join(folder, name);
  return {
    folder,
    index: at('index'),
    madeStamp: at('made'),
    handedStamp: at('handed'),
    readyStamp: at('ready'),
    savedStamp: at('saved'),
  };
}

export async function readRecord(layout: Layout, attemptId: string): Promise<WorkspaceRecord | null> {
  const text = await readIfThere(join(recordPlace(layout, attemptId).folder, 'record.json'));
  return text === null ? null : (JSON.parse(text) as WorkspaceRecord);
}

export async function writeRecord(layout: Layout, attemptId: string, record: WorkspaceRecord): Promise<void> {
  await writeAtomic(join(await openRecord(layout, attemptId), 'record.json'), JSON.stringify(record));
}

/** The folder, created if necessary. */
export async function openRecord(layout: Layout, attemptId: string): Promise<string> {
  const { folder } = recordPlace(layout, attemptId);
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    throw diskFault(error, folder);
  });
  return folder;
}

export async function removeRecord(layout: Layout, attemptId: string): Promise<void> {
  await rm(recordPlace(layout, attemptId).folder, { recursive: true, force: true });
}
