// Floods of output or memory: at a rate or as fast as possible, up to a size or for ever.

import { setImmediate as breathe, setTimeout as delay } from 'node:timers/promises';
import type { Stage } from '../agent/stage.ts';
import { writeWhole } from '../agent/write-whole.ts';
import type { Given } from './step-list.ts';

const mib = 1024 * 1024;
const tickMs = 20;
const batchMax = 256 * 1024;
const growPieceMax = 16 * mib;

export async function flood(given: Given<'flood'>, stage: Stage): Promise<void> {
  const { to = 'stdout', lineBytes = 1_000 } = given;
  const line = Buffer.from(`${to === 'stdout' ? lineOfSize(stage, lineBytes) : 'e'.repeat(lineBytes)}\n`);
  const lines = Buffer.concat(Array.from({ length: Math.max(1, Math.floor(batchMax / line.length)) }, () => line));
  await spend(given, stage, (wanted) => {
    // Whole lines only: at least one, and no more than a batch at a time.
    const some = Math.min(lines.length, Math.max(1, Math.floor(wanted / line.length)) * line.length);
    writeWhole(to === 'stdout' ? 1 : 2, lines.subarray(0, some));
    return some;
  });
}

/** Memory is kept until the process ends. */
export async function grow(given: Given<'grow'>, stage: Stage): Promise<void> {
  await spend(given, stage, (wanted) => {
    const bytes = Math.min(wanted, growPieceMax);
    // Filled, so that the memory is really allocated.
    kept.push(Buffer.alloc(bytes, kept.length + 1));
    return bytes;
  });
}

const kept: Buffer[] = [];

/** Calls `use` with the bytes that are due until all are used; for ever if no end is given. */
async function spend(
  { mb, mbPerSecond }: { readonly mb?: number; readonly mbPerSecond?: number },
  { signal }: Stage,
  use: (bytes: number) => number,
): Promise<void> {
  const total = mb === undefined ? Number.POSITIVE_INFINITY : Math.ceil(mb * mib);
  const perMs = mbPerSecond === undefined ? Number.POSITIVE_INFINITY : (mbPerSecond * mib) / 1000;
  const startedAt = performance.now();
  for (let used = 0; used < total; ) {
    const due = Math.min(total, Number.isFinite(perMs) ? (performance.now() - startedAt + tickMs) * perMs : total);
    if (used < due) used += use(Math.ceil(due - used));
    signal.throwIfAborted();
    await (used < due ? breathe() : delay(tickMs, undefined, { signal }));
  }
}

/** A size too small for a record gives a line of garbage. */
function lineOfSize({ voice }: Stage, bytes: number): string {
  const empty = Buffer.byteLength(voice.sayLine(''));
  return bytes <= empty ? 'x'.repeat(bytes) : voice.sayLine('x'.repeat(bytes - empty));
}
