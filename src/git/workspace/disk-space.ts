// What is on the disk, how large it is, and why it is kept or may be removed; and removing it. Only workspaces whose
// work is saved can be removed, and results of setups and checks, which can be made again. Whether a workspace may be
// removed is checked again right before.

import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { trustedPath } from '../../process/confine.ts';
import { Fault } from '../../std/fault.ts';
import { diskFault } from '../../std/files.ts';
import type { TakeTurns } from '../../std/keyed-queue.ts';
import { type CheckShare, type CheckShares, removeChecks, shareChecks } from '../checks/check-space.ts';
import { type Layout, projectOf, requireId } from '../commands/layout.ts';
import { hasDirectory } from '../commands/real-directory.ts';
import { runChild } from '../commands/run-process.ts';
import { keptSetups, setupPlace } from '../setup/setup-cache.ts';
import { discardWorkspace, moveToTrash } from './discard-workspace.ts';
import { whyKept } from './workspace-pool.ts';
import { readRecord } from './workspace-record.ts';

export type SpaceKind = 'workspace' | 'archive' | 'project' | 'setup' | 'checks';

export interface SpaceItem {
  readonly kind: SpaceKind;
  /** The attempt's id, the project's name, that and the key of a setup, or which results of checks. */
  readonly name: string;
  readonly path: string;
  /** null: it could not be measured. */
  readonly bytes: number | null;
  readonly removable: boolean;
  /** In words that follow "kept because" or "may be removed because". */
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
  for (const [project, key] of await keptSetups(layout)) items.push(await setupItem(layout, project, key, signal));
  return [...items, ...checkItems(layout, await shareChecks(layout.checks, usedSince()))];
}

/** `all` is every workspace and setup that may go; with `setups` also the setups that are still used. */
export type Wanted = readonly string[] | 'all' | 'all-with-setups';

/** Removes the workspaces of these attempts, or all, as far as they may go. */
export async function reclaim(context: SpaceContext, wanted: Wanted, signal: AbortSignal): Promise<Reclaimed> {
  const { layout, takeTurns } = context;
  const removed: SpaceItem[] = [];
  const kept: SpaceItem[] = [];
  for (const attemptId of typeof wanted === 'string' ? await names(layout.workspaces) : wanted) {
    const path = join(layout.workspaces, requireId(attemptId));
    await takeTurns(path, async () => {
      signal.throwIfAborted();
      if (!(await hasDirectory(path))) {
        // Some of those listed may be in use again.
        if (typeof wanted === 'string') return;
        throw new Fault('not_found', `there is no workspace of attempt ${attemptId}`);
      }
      const item = await workspaceItem(layout, attemptId, signal);
      if (!item.removable) kept.push(item);
      else if (await discardWorkspace(context, attemptId)) removed.push(item);
    });
  }
  for (const [project, key] of typeof wanted === 'string' ? await keptSetups(layout) : []) {
    const item = await setupItem(layout, project, key, signal);
    const goes = item.removable || wanted === 'all-with-setups';
    if (!goes) kept.push(item);
    else if (await moveToTrash(context, item.path)) removed.push(item);
  }
  if (typeof wanted === 'string') {
    const shares = await shareChecks(layout.checks, usedSince());
    await removeChecks(layout.checks, shares.old);
    for (const item of checkItems(layout, shares)) (item.removable ? removed : kept).push(item);
  }
  return { removed, kept };
}

async function workspaceItem(layout: Layout, attemptId: string, signal: AbortSignal): Promise<SpaceItem> {
  const why = await whyKept(layout, attemptId, signal);
  const record = await readRecord(layout, attemptId);
  const what =
    record?.saved?.thrownAway === true
      ? 'its work was not to be kept'
      : `its work is saved as ${record?.saved?.commit.slice(0, 12) ?? ''}`;
  const saved = `${what} and nobody holds it`;
  const item = { kind: 'workspace', name: attemptId, removable: why === null, why: why ?? saved } as const;
  return measured(join(layout.workspaces, attemptId), item, signal);
}

async function setupItem(layout: Layout, project: string, key: string, signal: AbortSignal): Promise<SpaceItem> {
  const path = setupPlace(layout, project, key);
  const used = (await lstat(path)).mtimeMs;
  const days = Math.max(0, Math.floor((Date.now() - used) / dayMs));
  const removable = days >= unusedDaysMax;
  const again = 'the setup can make it again';
  const last = days === 0 ? 'it was used today' : `it was last used ${days} ${days === 1 ? 'day' : 'days'} ago`;
  const why = removable ? `${last}, and ${again}` : `${last} ("gc --setups" removes it; ${again})`;
  return measured(path, { kind: 'setup', name: `${project}/${key}`, removable, why }, signal);
}

function checkItems({ checks: path }: Layout, { old, used }: CheckShares): SpaceItem[] {
  const item = (name: string, { count, bytes }: CheckShare, removable: boolean, when: string): SpaceItem[] => {
    const what = count === 1 ? 'one result was' : `${count} results were`;
    return count === 0 ? [] : [{ kind: 'checks', name, path, bytes, removable, why: `${what} ${when}` }];
  };
  return [
    ...item('used', used, false, `asked for in the last ${unusedDaysMax} days`),
    ...item('unused', old, true, `not asked for in ${unusedDaysMax} days, and a check can be run again`),
  ];
}

function usedSince(): number {
  return Date.now() - unusedDaysMax * dayMs;
}

const dayMs = 24 * 60 * 60_000;
const unusedDaysMax = 30;

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
  return { ...item, path, bytes: await measure([path], signal) };
}

/** What these files and directories take together; null: it could not be measured. */
export async function measure(paths: readonly string[], signal: AbortSignal): Promise<number | null> {
  if (paths.length === 0) return 0;
  let text = '';
  const onOutput = (chunk: Buffer, stream: 'stdout' | 'stderr'): boolean => {
    if (stream === 'stdout') text = (text + chunk.toString('utf8')).slice(-lastLineMax);
    return true;
  };
  const env = { PATH: trustedPath, LC_ALL: 'C' };
  const order = { argv: ['du', '-skc', ...paths], cwd: '/', env, timeoutMs: measureTimeoutMs, graceMs: 0, onOutput };
  await runChild(order, signal);
  const kibibytes = /(?:^|\n)(\d+)\s+total\n$/.exec(text)?.[1];
  return kibibytes === undefined ? null : Number(kibibytes) * 1024;
}

const lastLineMax = 10_000;

const measureTimeoutMs = 5 * 60_000;

async function names(folder: string): Promise<string[]> {
  const found: string[] = await readdir(folder).catch((error: unknown) => {
    throw diskFault(error, folder);
  });
  return found.sort();
}
