// The state of a launch, by its directory and the process table alone. Before a launch counts as ended, nothing of it
// is left running.

import { writeFile } from 'node:fs/promises';
import type { Ending, LaunchObservation, ProcessIdentity } from '../../ports/launch-port.ts';
import { diskFault } from '../../std/files.ts';
import { bootId, isAlive } from '../table/process-identity.ts';
import { isThere, type LaunchDir, modifiedMs, readShim, readStatus, takeFile } from './launch-dir.ts';
import { ask } from './poll-wait.ts';
import { sweep } from './stop-launch.ts';

export async function look(dir: LaunchDir): Promise<LaunchObservation> {
  const early = readStatus(dir);
  if (early !== null) return ended(dir, early);
  if (!isThere(dir.claim)) return { kind: 'absent' };
  const shim = await claimant(dir);
  if (shim !== null && (await isAlive(shim))) return { kind: 'alive', identity: shim };
  // The status is written before the shim ends: only now does its absence mean anything.
  const late = readStatus(dir);
  return late === null ? lost(dir, shim) : ended(dir, late);
}

/** The shim that claimed the launch; null when there is none and there will never be one. */
async function claimant(dir: LaunchDir): Promise<ProcessIdentity | null> {
  const claimedMs = modifiedMs(dir.claim);
  const withinMs = claimedMs === null ? 0 : Math.min(claimedMs + shimWaitMaxMs - Date.now(), shimWaitMaxMs);
  const named = async (): Promise<{ shim: ProcessIdentity | null } | null> => {
    // In this order: a shim that reached `go` has written its identity before.
    const decided = isThere(dir.go);
    const shim = readShim(dir);
    return decided || shim !== null ? { shim } : null;
  };
  const answer = await ask(named, { withinMs, pauseMaxMs: 50 });
  if (answer !== null) return answer.shim;
  takeFile(dir.go);
  return readShim(dir);
}

async function ended(dir: LaunchDir, status: number): Promise<Ending> {
  if (!isThere(dir.swept)) {
    const shim = readShim(dir);
    if (shim !== null)
      await ask(async () => ((await isAlive(shim)) ? null : true), { withinMs: 1_000, pauseMaxMs: 10 });
    await sweepOnce(dir, shim);
  }
  return { kind: 'ended', status };
}

async function lost(dir: LaunchDir, shim: ProcessIdentity | null): Promise<Ending> {
  if (!isThere(dir.swept)) await sweepOnce(dir, shim);
  return { kind: 'lost' };
}

async function sweepOnce(dir: LaunchDir, shim: ProcessIdentity | null): Promise<void> {
  // No process survives a reboot.
  if (shim === null || shim.bootId === (await bootId())) await sweep(dir, shim);
  await writeFile(dir.swept, '', { mode: 0o600 }).catch((error: unknown) => {
    throw diskFault(error, dir.swept);
  });
}

/**
 * A shim needs a few milliseconds from its claim to its identity file. Ruling out a slower one is safe, only wasteful.
 */
const shimWaitMaxMs = 5_000;
