// Ends a workspace whose work is saved or was never to be kept: runs the teardown, frees its ports, and lets it be used
// again.

import { basename } from 'node:path';
import type { Layout } from '../commands/layout.ts';
import type { ScriptMeans } from '../setup/repository-script.ts';
import { tearDown } from '../setup/teardown.ts';
import type { Moment } from './change-stamp.ts';
import { releasePorts } from './port-blocks.ts';
import { offer } from './workspace-pool.ts';
import { recordPlace, type SavedRecord, type WorkspaceRecord, writeRecord } from './workspace-record.ts';

export interface EndOrder {
  readonly attemptId: string;
  readonly bare: string;
  readonly base: string;
  readonly workspace: string;
  readonly scratch: string;
  readonly sandboxed: boolean;
  readonly record: WorkspaceRecord;
  /** When its stamp was set, before the work was read. */
  readonly at: Moment;
  readonly saved: Omit<SavedRecord, 'at'>;
}

/** Returns notes. */
export async function endWorkspace(
  { layout, scripts }: { readonly layout: Layout; readonly scripts: ScriptMeans },
  order: EndOrder,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { attemptId, bare, record, at, saved } = order;
  const { savedStamp } = recordPlace(layout, attemptId);
  const standing = { ...order, savedStamp, port: record.port };
  const takenDown = record.saved === null ? await tearDown(scripts, standing, signal) : null;
  await releasePorts(layout, record.port);
  await writeRecord(layout, attemptId, { ...record, port: null, saved: { ...saved, at: takenDown?.at ?? at } });
  await offer(layout, basename(bare), attemptId);
  return takenDown?.notes ?? [];
}
