// What we know of a workspace's files beforehand: how they were made, and which were touched since.

import type { Layout } from '../commands/layout.ts';
import { isComparable } from './change-stamp.ts';
import { findNewer } from './changed-since.ts';
import { recordPlace, type WorkspaceRecord } from './workspace-record.ts';

/** Our index of what the workspace began with, and what was touched since: the rest need not be read. */
export interface Seed {
  readonly index: string;
  readonly touched: readonly string[];
}

/** null: it is unknown what was touched, so everything is read. */
export async function seedOf(
  layout: Layout,
  attemptId: string,
  { made }: WorkspaceRecord,
  workspace: string,
  signal: AbortSignal,
): Promise<Seed | null> {
  const { index, madeStamp } = recordPlace(layout, attemptId);
  if (!isComparable(made)) return null;
  const { names, whole } = await findNewer(workspace, madeStamp, signal);
  return whole ? { index, touched: names } : null;
}
