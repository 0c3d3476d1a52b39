// Launches: processes that outlive their supervisor. All that is known of one lies in its directory and in the process
// table, so any supervisor, however often killed, sees the same; nothing is remembered here.
//
//   absent ──shim claims──▶ alive ──rc──▶ ended
//      └──ruled out by kill──┴──shim dies without rc──▶ lost

import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { assert } from '../../std/assert.ts';
import { diskFault, errnoOf } from '../../std/files.ts';
import type { Confine } from '../confine.ts';
import { hasten, noteActivity } from '../table/last-activity.ts';
import { freeBytes, type Measure, measureAll, measureOne, setFrozen } from '../table/measure.ts';
import { isAlive, type ProcessIdentity } from '../table/process-identity.ts';
import { follow, type LineBatch } from './follow-output.ts';
import { writeInput } from './input-file.ts';
import { isLaunchId, isThere, type LaunchDir, launchDir } from './launch-dir.ts';
import { type Ending, look, type Sighting } from './launch-sighting.ts';
import { keepResult, type Part, readOut, readResult } from './result-file.ts';
import type { LaunchSpec } from './spawn.ts';
import { startLaunch } from './start-launch.ts';
import { kill, term } from './stop-rungs.ts';
import { compressTranscript, readTranscript, replay } from './transcript-file.ts';
import { transcriptHash } from './transcript-hash.ts';

export type { Measure } from '../table/measure.ts';
export type { ProcessIdentity } from '../table/process-identity.ts';
export type { LineBatch } from './follow-output.ts';
export type { Ending, Sighting } from './launch-sighting.ts';
export type { Part } from './result-file.ts';
export type { LaunchSpec } from './spawn.ts';

export interface Launches {
  /** Starts it unless it was ever claimed; safe to repeat after a crash at any point. Resolves when the claim is durable. */
  start(spec: LaunchSpec, signal: AbortSignal): Promise<Sighting>;
  look(launchId: string): Promise<Sighting>;
  /** Output from `offset`, whole lines only, then the end. `onLines` is awaited before more is read. */
  watch(
    launchId: string,
    offset: number,
    onLines: (batch: LineBatch) => Promise<void>,
    signal: AbortSignal,
  ): Promise<Ending>;
  /** Makes `in` hold `record` at byte `offset` exactly once, completing what is there of it. Returns the offset after it. */
  write(launchId: string, offset: number, record: string): Promise<number>;
  /**
   * One rung of the ladder. `term` asks the agent itself; `kill` leaves nothing and, of a launch that was prepared but
   * never claimed, rules out that it starts later. Repeatable; a launch that is gone is fine.
   */
  signal(launchId: string, rung: 'term' | 'kill'): Promise<void>;
  /** Ids of all launches that have a directory. */
  list(): Promise<readonly string[]>;
  /** What it uses now; null when nothing of its agent runs. */
  measure(launchId: string): Promise<Measure | null>;
  /** The same for many in one look at the process table; those that do not run are left out. */
  measureAll(launchIds: readonly string[]): Promise<ReadonlyMap<string, Measure>>;
  /** Halts every process of the agent, or lets them go on. Repeatable, and harmless to one that is gone. */
  freeze(launchId: string): Promise<void>;
  thaw(launchId: string): Promise<void>;
  /** Compresses the transcript of a launch that has ended and been read to its end. */
  compress(launchId: string): Promise<void>;
  /** The bytes of its output, compressed or not, from `from` to what is there now. */
  readTranscript(launchId: string, options?: { from?: number; stream?: 'out' | 'err' }): AsyncIterable<Buffer>;
  /** sha256 of all that these printed, in this order, in hexadecimal; null where that of one of them is not known. */
  transcriptHash(launchIds: readonly string[]): Promise<string | null>;
  /** Keeps the last words of its agent whole; returns where. */
  keepResult(launchId: string, text: string): Promise<string>;
  /** A part of them, from a byte on; null = there are none. */
  readResult(launchId: string, from: number, max: number): Promise<Part | null>;
  /** The same of all that it printed. */
  readOut(launchId: string, from: number, max: number): Promise<Part | null>;
  /** What can still be written where the launches are. */
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
    list: () => list(root),
    measure: (launchId) => measureOne(root, launchId),
    measureAll: (launchIds) => measureAll(root, launchIds),
    freeze: (launchId) => setFrozen(root, launchId, true),
    thaw: (launchId) => setFrozen(root, launchId, false),
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
    // With fifty quiet agents this is most of what the daemon does: no more than it must, and in place.
    if (!existsSync(dir.rc)) {
      if (performance.now() < checkAt) return null;
      checkAt = performance.now() + aliveCheckMs;
      if (shim !== null && isThere(dir.claim) && (await isAlive(shim))) return null;
    }
    const sighting = await look(dir);
    if (sighting.kind === 'ended' || sighting.kind === 'lost') return sighting;
    if (sighting.kind === 'absent') return removed(dir);
    shim = sighting.identity;
    return null;
  };
  if (!isThere(dir.out)) await replay(dir, offset, onLines, signal);
  return isThere(dir.out) ? follow(dir, offset, onLines, over, signal) : endingOf(dir);
}

/** It was started, and somebody has removed its directory: what is left of it has nowhere to write to, and ends. */
async function removed(dir: LaunchDir): Promise<Ending> {
  await kill(dir);
  return { kind: 'lost' };
}

async function endingOf(dir: LaunchDir): Promise<Ending> {
  const sighting = await look(dir);
  assert(sighting.kind === 'ended' || sighting.kind === 'lost', `launch ${dir.id} has no output and is not over`);
  return sighting;
}

async function compress(dir: LaunchDir): Promise<void> {
  const { kind } = await look(dir);
  assert(kind === 'ended' || kind === 'lost', `launch ${dir.id} is ${kind}, not over`);
  await compressTranscript(dir);
}

async function list(root: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(root, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory() && isLaunchId(entry.name)).map((entry) => entry.name);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return [];
    throw diskFault(error, root);
  }
}
