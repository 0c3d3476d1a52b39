// What lies on the disk, how much it is, and why it is kept or may go; and the removal of what may. Only a workspace can
// go: what is saved of it stays. Whether it may is asked again in the moment of removing it.

import { mkdtemp, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { trustedPath } from '../process/confine.ts';
import { Fault } from '../std/fault.ts';
import { diskFault, errnoOf } from '../std/files.ts';
import { runChild } from './child.ts';
import { hasDirectory } from './directory.ts';
import { type Layout, projectOf, requireId } from './layout.ts';
import { whyKept, withdraw } from './pool.ts';
import { readRecord, removeRecord } from './record.ts';
import type { TakeTurns } from './turns.ts';

export type SpaceKind = 'workspace' | 'archive' | 'project';

export interface SpaceItem {
  readonly kind: SpaceKind;
  /** The attempt's id, or the project's name. */
  readonly name: string;
  readonly path: string;
  /** null: it could not be measured. */
  readonly bytes: number | null;
  readonly removable: boolean;
  /** In words that follow "kept because" or "may go because". */
  readonly why: string;
}

export interface Reclaimed {
  readonly removed: readonly SpaceItem[];
  readonly kept: readonly SpaceItem[];
}

export interface SpaceContext {
  readonly layout: Layout;
  readonly takeTurns: TakeTurns;
  removeLater(path: string): void;
}

export async function inspectSpace({ layout }: SpaceContext, signal: AbortSignal): Promise<SpaceItem[]> {
  const items: SpaceItem[] = [];
  for (const name of await names(layout.workspaces)) items.push(await workspaceItem(layout, name, signal));
  const attempts = await attemptsByProject(layout);
  for (const name of await names(layout.projects)) {
    const count = attempts.get(name) ?? 0;
    const why = `it holds the work of ${count} ${count === 1 ? 'attempt' : 'attempts'}`;
    items.push(await measured(join(layout.projects, name), { kind: 'project', name, removable: false, why }, signal));
  }
  const why = 'it holds work that is in no commit';
  for (const file of await names(layout.archives)) {
    const name = file.replace(/\.tar\.gz$/, '');
    items.push(await measured(join(layout.archives, file), { kind: 'archive', name, removable: false, why }, signal));
  }
  return items;
}

/** Removes the workspaces of these attempts, or all, as far as they may go. */
export async function reclaim(
  { layout, takeTurns, removeLater }: SpaceContext,
  wanted: readonly string[] | 'all',
  signal: AbortSignal,
): Promise<Reclaimed> {
  const removed: SpaceItem[] = [];
  const kept: SpaceItem[] = [];
  for (const attemptId of wanted === 'all' ? await names(layout.workspaces) : wanted) {
    const path = join(layout.workspaces, requireId(attemptId));
    await takeTurns(path, async () => {
      signal.throwIfAborted();
      if (!(await hasDirectory(path))) {
        // Of all that were listed some are used again by now.
        if (wanted === 'all') return;
        throw new Fault('not_found', `there is no workspace of attempt ${attemptId}`);
      }
      const item = await workspaceItem(layout, attemptId, signal);
      if (!item.removable) kept.push(item);
      else if (await remove(layout, attemptId, removeLater)) removed.push(item);
    });
  }
  return { removed, kept };
}

async function workspaceItem(layout: Layout, attemptId: string, signal: AbortSignal): Promise<SpaceItem> {
  const why = await whyKept(layout, attemptId, signal);
  const record = await readRecord(layout, attemptId);
  const saved = `its work is saved as ${record?.saved?.commit.slice(0, 12) ?? ''} and nobody holds it`;
  const item = { kind: 'workspace', name: attemptId, removable: why === null, why: why ?? saved } as const;
  return measured(join(layout.workspaces, attemptId), item, signal);
}

/** False if another attempt has taken it over in this moment. */
async function remove(layout: Layout, attemptId: string, removeLater: (path: string) => void): Promise<boolean> {
  const path = join(layout.workspaces, attemptId);
  try {
    const trash = await mkdtemp(join(layout.scratch, 'trash-'));
    await rename(path, join(trash, attemptId)).finally(() => removeLater(trash));
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return false;
    throw diskFault(error, path);
  }
  const record = await readRecord(layout, attemptId);
  if (record !== null) await withdraw(layout, record.project, attemptId);
  await removeRecord(layout, attemptId);
  return true;
}

async function attemptsByProject(layout: Layout): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const attemptId of await names(layout.attempts)) {
    const project = (await projectOf(layout, attemptId))?.slice(layout.projects.length + 1) ?? '';
    counts.set(project, (counts.get(project) ?? 0) + 1);
  }
  return counts;
}

async function measured(
  path: string,
  item: Omit<SpaceItem, 'path' | 'bytes'>,
  signal: AbortSignal,
): Promise<SpaceItem> {
  let text = '';
  const onOutput = (chunk: Buffer, stream: 'stdout' | 'stderr'): boolean => {
    if (stream === 'stdout') text += chunk.toString('utf8');
    return true;
  };
  const env = { PATH: trustedPath, LC_ALL: 'C' };
  const order = { argv: ['du', '-sk', path], cwd: '/', env, timeoutMs: measureTimeoutMs, graceMs: 0, onOutput };
  await runChild(order, signal);
  const kibibytes = /^(\d+)\s/.exec(text)?.[1];
  return { ...item, path, bytes: kibibytes === undefined ? null : Number(kibibytes) * 1024 };
}

const measureTimeoutMs = 5 * 60_000;

async function names(folder: string): Promise<string[]> {
  const found: string[] = await readdir(folder).catch((error: unknown) => {
    throw diskFault(error, folder);
  });
  return found.sort();
}
