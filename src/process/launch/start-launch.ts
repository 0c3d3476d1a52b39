// Starts a launch that nobody claimed. Ours may lose to another supervisor's shim: then that one runs it.

import type { Sighting } from '../../ports/launch-port.ts';
import { Fault } from '../../std/fault.ts';
import { syncDirectory } from '../../std/files.ts';
import { isThere } from './launch-dir.ts';
import { look } from './launch-sighting.ts';
import { ask } from './poll-wait.ts';
import { discard, keepSpareShim } from './spare-shim.ts';
import { type Order, spawnShim } from './spawn.ts';

export async function startLaunch(order: Order, signal: AbortSignal): Promise<Sighting> {
  const { dir, root } = order;
  // A shim that was kept waiting may have died meanwhile: the second one is new.
  const claimed = (await startOnce(order, signal)) || (await startOnce(order, signal));
  if (!claimed) throw new Fault('launch_failed', `no shim claimed launch ${dir.id}`);
  keepSpareShim(root);
  // Before anybody records it: after a power loss an unclaimed directory would be started again.
  await Promise.all([syncDirectory(dir.path), syncDirectory(root)]);
  return look(dir);
}

const claimWaitMaxMs = 10_000;

/** Whether a shim claimed the launch, ours or another. */
async function startOnce(order: Order, signal: AbortSignal): Promise<boolean> {
  const shim = await spawnShim(order);
  try {
    const answer = await ask(
      async () => {
        const exited = shim.child.exitCode !== null || shim.child.signalCode !== null;
        if (isThere(order.dir.claim)) return true;
        return exited ? false : null;
      },
      { withinMs: claimWaitMaxMs, pauseMaxMs: 20, signal },
    );
    return answer === true;
  } finally {
    discard(shim);
  }
}
