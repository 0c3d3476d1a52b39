// The rungs of the ladder by which a launch is brought to its end.

import { appendFile, mkdir } from 'node:fs/promises';
import { signalProcess } from '../table/process-identity.ts';
import { isThere, type LaunchDir, readShim, takeFile } from './launch-dir.ts';
import { look } from './launch-sighting.ts';
import { ask } from './poll-wait.ts';
import { killAgent, terminateAgent } from './stop-launch.ts';

const infoWaitMaxMs = 2_000;
/** Longer than the shim waits for its drains. */
const finishWaitMaxMs = 8_000;

export async function term(dir: LaunchDir): Promise<void> {
  // A launch that has just begun has no info yet.
  await ask(async () => ((await look(dir)).kind !== 'alive' || (await terminateAgent(dir)) ? true : null), {
    withinMs: infoWaitMaxMs,
    pauseMaxMs: 50,
  });
}

/** Leaves nothing; of a launch that was prepared but never claimed it rules out that it starts later. */
export async function kill(dir: LaunchDir): Promise<void> {
  // Also one that was never prepared is sealed: whoever ordered it may still be trying.
  await mkdir(dir.path, { recursive: true, mode: 0o700 });
  // Not later: the output of a launch that has ended may be compressed by now.
  if (!isThere(dir.claim)) await appendFile(dir.out, '');
  if (takeFile(dir.claim)) takeFile(dir.go);
  const gone = await ask(
    async () => {
      const sighting = await look(dir);
      if (sighting.kind !== 'alive') return true;
      await killAgent(dir);
      return null;
    },
    { withinMs: finishWaitMaxMs, pauseMaxMs: 100 },
  );
  if (gone !== null) return;
  // The shim does not finish: stopped, or its disk hangs.
  const shim = readShim(dir);
  if (shim !== null) await signalProcess(shim, 'SIGKILL');
  await ask(async () => ((await look(dir)).kind === 'alive' ? null : true), { withinMs: 2_000, pauseMaxMs: 50 });
}
