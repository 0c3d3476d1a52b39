// Stops all processes of an agent and continues them, for a disk that is nearly full, where writing would make them
// fail. Shim and drains keep running. A frozen agent can be killed; asked to terminate, it does so when it is
// continued.

import { signalProcess } from '../table/process-identity.ts';
import type { ProcessRow } from '../table/process-table.ts';
import { type LaunchDir, readInfo } from './launch-dir.ts';
import { pause } from './poll-wait.ts';
import { membersOf } from './stop-launch.ts';

/** True when two looks in a row found every process stopped; false if there is none, or they fork too fast. */
export function freezeAgent(dir: LaunchDir): Promise<boolean> {
  return signalUntil(dir, 'SIGSTOP', (row) => !row.stopped);
}

export function thawAgent(dir: LaunchDir): Promise<boolean> {
  return signalUntil(dir, 'SIGCONT', (row) => row.stopped);
}

const looksMax = 100;
const lookPauseMs = 2;

async function signalUntil(
  dir: LaunchDir,
  signal: 'SIGSTOP' | 'SIGCONT',
  isWrong: (row: ProcessRow) => boolean,
): Promise<boolean> {
  const info = readInfo(dir);
  if (info === null) return false;
  // A process may fork between being seen and being stopped; the next look finds its child.
  for (let looks = 0, right = 0; looks < looksMax; looks += 1) {
    const members = await membersOf(dir, info);
    if (members.length === 0) return false;
    const wrong = members.filter(isWrong);
    for (const row of wrong) await signalProcess(row, signal);
    right = wrong.length === 0 ? right + 1 : 0;
    if (right === 2) return true;
    await pause(lookPauseMs);
  }
  return false;
}
