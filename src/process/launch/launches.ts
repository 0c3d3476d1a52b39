// Launches: processes that outlive their supervisor. All that is known of one lies in its directory and in the process
// table, so any supervisor, however often killed, sees the same; nothing is remembered here.
//
//   absent ──shim claims──▶ alive ──rc──▶ ended
//      └──ruled out by kill──┴──shim dies without rc──▶ lost

import { existsSync } from 'node:fs';
import { appendFile, mkdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Ending, LaunchObservation, LaunchPort, LineBatch, ProcessIdentity } from '../../ports/launch-port.ts';
import { assert } from '../../std/assert.ts';
import { Fault } from '../../std/fault.ts';
import { syncDirectory } from '../../std/files.ts';
import type { Confine } from '../confine.ts';
import { hasten, noteActivity } from '../table/last-activity.ts';
import { freeBytes, type Measure, measureAll, measureOne } from '../table/measure.ts';
import { isAlive, signalProcess } from '../table/process-identity.ts';
import { follow } from './follow-output.ts';
import { freezeAgent, thawAgent } from './freeze.ts';
import { writeInput } from './input-file.ts';
import { isThere, type LaunchDir, launchDir, listLaunches, readShim, takeFile } from './launch-dir.ts';
import { look } from './launch-observation.ts';
import { ask } from './poll-wait.ts';
import { keepResult, readOut, readResult } from './result-file.ts';
import { discard, keepSpareShim } from './spare-shim.ts';
import { type Order, spawnShim } from './spawn.ts';
import { killAgent, terminateAgent } from './stop-launch.ts';
import { compressTranscript, readTranscript, replay, transcriptHash } from './transcript-file.ts';

export interface Launches extends LaunchPort {
  look(launchId: string): Promise<LaunchObservation>;
  /** Ids of all launches that have a directory. */
  list(): Promise<readonly string[]>;
  /** What it uses now; null when nothing of its agent runs. */
  measure(launchId: string): Promise<Measure | null>;
  measureAll(launchIds: readonly string[]): Promise<ReadonlyMap<string, Measure>>;
  /** Compresses the transcript of a launch that has ended and been read to its end. */
  compress(launchId: string): Promise<void>;
  /** The bytes of its output, compressed or not, from `from` to what is there now. */
  readTranscript(launchId: string, options?: { from?: number; stream?: 'out' | 'err' }): AsyncIterable<Buffer>;
  /** Free space on the disk of the launches. */
  freeBytes(): Promise<number>;
}

export function openLaunches({ root: rootGiven, confine }: { root: string; confine: Confine }): Launches {
  const root = resolve(rootGiven);
  return {
    async start(spec, signal) {
      assert(spec.argv.length > 0, `launch ${spec.launchId} has no command`);
      signal.throwIfAborted();
      const dir = launchDir(root, spec.launchId);
      const before = await look(dir);
      return before.kind === 'absent' ? startLaunch({ dir, root, spec, confine }, signal) : before;
    },
    look: (launchId) => look(launchDir(root, launchId)),
    watch: (launchId, offset, onLines, signal) => watch(launchDir(root, launchId), offset, onLines, signal),
    async write(launchId, offset, record) {
      const dir = launchDir(root, launchId);
      const end = await writeInput(dir, offset, record);
      hasten(dir.path);
      return end;
    },
    async signal(launchId, rung) {
      const dir = launchDir(root, launchId);
      await (rung === 'term' ? term : kill)(dir);
      noteActivity(dir.path);
    },
    list: () => listLaunches(root),
    measure: (launchId) => measureOne(root, launchId),
    measureAll: (launchIds) => measureAll(root, launchIds),
    freeze: (launchId) => freezeAgent(launchDir(root, launchId)).then(() => undefined),
    thaw: (launchId) => thawAgent(launchDir(root, launchId)).then(() => undefined),
    compress: (launchId) => compress(launchDir(root, launchId)),
    readTranscript: (launchId, options) => readTranscript(launchDir(root, launchId), options),
    transcriptHash: (launchIds) => transcriptHash(launchIds.map((launchId) => launchDir(root, launchId))),
    keepResult: (launchId, text) => keepResult(launchDir(root, launchId), text),
    readResult: (launchId, from, max) => readResult(launchDir(root, launchId), from, max),
    readOut: (launchId, from, max) => readOut(launchDir(root, launchId), from, max),
    freeBytes: () => freeBytes(existsSync(root) ? root : dirname(root)),
  };
}

const aliveCheckMs = 1_000;

async function watch(
  dir: LaunchDir,
  offset: number,
  onLines: (batch: LineBatch) => Promise<void>,
  signal: AbortSignal,
): Promise<Ending> {
  if (!isThere(dir.claim)) return removed(dir);
  let shim: ProcessIdentity | null = null;
  let checkAt = 0;
  const over = async (): Promise<Ending | null> => {
    // With fifty quiet agents this is most of the daemon's work: do no more than needed, synchronously.
    if (!existsSync(dir.rc)) {
      if (performance.now() < checkAt) return null;
      checkAt = performance.now() + aliveCheckMs;
      if (shim !== null && isThere(dir.claim) && (await isAlive(shim))) return null;
    }
    const observation = await look(dir);
    if (observation.kind === 'ended' || observation.kind === 'lost') return observation;
    if (observation.kind === 'absent') return removed(dir);
    shim = observation.identity;
    return null;
  };
  if (!isThere(dir.out)) await replay(dir, offset, onLines, signal);
  return isThere(dir.out) ? follow(dir, offset, onLines, over, signal) : endingOf(dir);
}

/** It was started, and its directory was removed: its processes have nowhere to write to, so they are killed. */
async function removed(dir: LaunchDir): Promise<Ending> {
  await kill(dir);
  return { kind: 'lost' };
}

async function endingOf(dir: LaunchDir): Promise<Ending> {
  const observation = await look(dir);
  assert(observation.kind === 'ended' || observation.kind === 'lost', `launch ${dir.id} has no output and is not over`);
  return observation;
}

async function compress(dir: LaunchDir): Promise<void> {
  const { kind } = await look(dir);
  assert(kind === 'ended' || kind === 'lost', `launch ${dir.id} is ${kind}, not over`);
  await compressTranscript(dir);
}

async function startLaunch(order: Order, signal: AbortSignal): Promise<LaunchObservation> {
  const { dir, root } = order;
  // A spare shim may have died meanwhile: the second try uses a new one.
  const claimed = (await startOnce(order, signal)) || (await startOnce(order, signal));
  if (!claimed)
    throw new Fault('launch_failed', `launch ${dir.id} did not start: its shim ended before it claimed the launch`);
  keepSpareShim(root);
  // Before it is journalled: after a power loss an unclaimed directory would be started again.
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

const infoWaitMaxMs = 2_000;
/** Longer than the shim waits for its drains. */
const finishWaitMaxMs = 8_000;

async function term(dir: LaunchDir): Promise<void> {
  // A launch that has just begun has no info yet.
  await ask(async () => ((await look(dir)).kind !== 'alive' || (await terminateAgent(dir)) ? true : null), {
    withinMs: infoWaitMaxMs,
    pauseMaxMs: 50,
  });
}

/** Kills everything; for a launch that was prepared but never claimed, rules out that it starts later. */
async function kill(dir: LaunchDir): Promise<void> {
  // Also for a launch that was never prepared: its starter may still be trying.
  await mkdir(dir.path, { recursive: true, mode: 0o700 });
  // Not later: the output of an ended launch may be compressed by now.
  if (!isThere(dir.claim)) await appendFile(dir.out, '');
  if (takeFile(dir.claim)) takeFile(dir.go);
  const gone = await ask(
    async () => {
      const observation = await look(dir);
      if (observation.kind !== 'alive') return true;
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
