// Whether a workspace is exactly what we handed over: the checkout of its base and its git directory. Then there is
// nothing in it to read. Every change shows in a change time, of the file itself or of the directory that it entered or
// left, and nobody can set change times.

import { rename } from 'node:fs/promises';
import { diskFault } from '../../std/files.ts';
import type { Layout } from '../commands/layout.ts';
import { isComparable, type Moment, setStamp } from './change-stamp.ts';
import { hasNothingNewer } from './changed-since.ts';
import { recordPlace, type WorkspaceRecord } from './workspace-record.ts';

/**
 * Call it when the workspace is in place and before an agent uses it. A workspace with setup results or copied files is more
 * than its base.
 */
export async function handOver(layout: Layout, attemptId: string, record: WorkspaceRecord): Promise<void> {
  if (record.setup?.length === 0 && record.included.length === 0) {
    await setStamp(recordPlace(layout, attemptId).handedStamp);
  }
}

/** false also if that cannot be determined. */
export async function isUntouched(
  layout: Layout,
  attemptId: string,
  { made }: WorkspaceRecord,
  workspace: string,
  signal: AbortSignal,
): Promise<boolean> {
  // No change comes this soon after the stamp, so a clock that was set back by so little hides nothing.
  if (!isComparable(made, setBackMaxMs)) return false;
  return hasNothingNewer(workspace, recordPlace(layout, attemptId).handedStamp, signal);
}

/**
 * Whether it is still untouched after its work was saved: then all of it can serve the next attempt on the same base.
 */
export async function isUntouchedSince(
  layout: Layout,
  attemptId: string,
  { made, saved }: WorkspaceRecord,
  workspace: string,
  signal: AbortSignal,
): Promise<boolean> {
  if (saved?.untouched !== true || !isComparable(made, setBackMaxMs)) return false;
  return hasNothingNewer(workspace, recordPlace(layout, attemptId).savedStamp, signal);
}

/** Its work was saved since then: any later change, also during this look, is later than the stamp. */
export async function takeAsSaved(layout: Layout, attemptId: string, { made }: WorkspaceRecord): Promise<Moment> {
  const { handedStamp, savedStamp } = recordPlace(layout, attemptId);
  await rename(handedStamp, savedStamp).catch((error: unknown) => {
    throw diskFault(error, savedStamp);
  });
  return made;
}

const setBackMaxMs = 25;
