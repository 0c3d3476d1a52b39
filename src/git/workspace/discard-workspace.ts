// Removes a workspace and our record of it. The caller decides whether it may be removed.

import { mkdtemp, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { diskFault, errnoOf } from '../../std/files.ts';
import type { Layout } from '../commands/layout.ts';
import { hasDirectory } from '../commands/real-directory.ts';
import { releaseAllPorts } from './port-blocks.ts';
import { withdraw } from './workspace-pool.ts';
import { readRecord, removeRecord } from './workspace-record.ts';

export interface DiscardContext {
  readonly layout: Layout;
  /** Removes a directory later. */
  removeLater(path: string): void;
}

/** False if another attempt has just taken it over. */
export async function discardWorkspace(context: DiscardContext, attemptId: string): Promise<boolean> {
  const { layout } = context;
  if (!(await moveToTrash(context, join(layout.workspaces, attemptId)))) return false;
  const record = await readRecord(layout, attemptId);
  if (record !== null) await withdraw(layout, record.project, attemptId);
  await removeRecord(layout, attemptId);
  return true;
}

/** For an interrupted preparation. False if it was complete: then it may be in use. */
export async function abandonWorkspace(context: DiscardContext, attemptId: string): Promise<boolean> {
  const { layout } = context;
  const there = await hasDirectory(join(layout.workspaces, attemptId));
  if (there && (await readRecord(layout, attemptId))?.setup !== null) return false;
  await releaseAllPorts(layout, attemptId);
  if (!there || !(await discardWorkspace(context, attemptId))) await removeRecord(layout, attemptId);
  return true;
}

/** False if it is gone already. */
export async function moveToTrash({ layout, removeLater }: DiscardContext, path: string): Promise<boolean> {
  try {
    const trash = await mkdtemp(join(layout.scratch, 'trash-'));
    await rename(path, join(trash, 'whole')).finally(() => removeLater(trash));
    return true;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return false;
    throw diskFault(error, path);
  }
}
