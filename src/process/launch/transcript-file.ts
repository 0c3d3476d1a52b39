// The transcript of a launch, plain or compressed. A crash at any point leaves the plain file, or a complete compressed
// one, or both with the same content; then the plain one is read.

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import type { LineBatch } from '../../ports/launch-port.ts';
import { Fault, isFault } from '../../std/fault.ts';
import { diskFault, errnoOf, syncDirectory } from '../../std/files.ts';
import { createLineSplitter } from '../../std/lines.ts';
import { type LaunchDir, readStatus } from './launch-dir.ts';

/** Only for a launch that has ended and been read to its end: what is written later would be lost. */
export async function compressTranscript(dir: LaunchDir): Promise<void> {
  const busy = compressing.get(dir.path);
  if (busy !== undefined) return busy;
  const work = (async () => {
    for (const path of [dir.out, dir.err]) await compressFile(path);
  })().finally(() => compressing.delete(dir.path));
  compressing.set(dir.path, work);
  return work;
}

const compressing = new Map<string, Promise<void>>();

async function compressFile(path: string): Promise<void> {
  const plain = await openIfThere(path);
  if (plain === null) return;
  const temporary = `${path}.gz.tmp`;
  try {
    const target = await open(temporary, 'w', 0o600);
    try {
      await pipeline(plain.createReadStream({ autoClose: false }), createGzip({ level: 6 }), async (compressed) => {
        for await (const chunk of compressed) await target.writeFile(chunk as Buffer);
      });
      await target.sync();
    } finally {
      await target.close();
    }
    await rename(temporary, `${path}.gz`);
    await syncDirectory(dirname(path));
    await rm(path, { force: true });
  } catch (error) {
    await rm(temporary, { force: true });
    throw diskFault(error, path);
  } finally {
    await plain.close();
  }
}

/** All bytes of `out`, or of `err`, from `from` to what is there now. */
export async function* readTranscript(
  dir: LaunchDir,
  { from = 0, stream = 'out' }: { from?: number; stream?: 'out' | 'err' } = {},
): AsyncGenerator<Buffer> {
  const source = await openTranscript(dir[stream], from);
  if (source === null) throw new Fault('not_found', `launch ${dir.id} has no ${stream}`);
  let skip = source.skip;
  try {
    for await (const chunk of source.stream as AsyncIterable<Buffer>) {
      const kept = chunk.subarray(Math.min(skip, chunk.length));
      skip -= chunk.length - kept.length;
      if (kept.length > 0) yield kept;
    }
  } finally {
    source.stream.destroy();
  }
}

/** Passes on whole lines from `offset`, as `watch` would. */
export async function replay(
  dir: LaunchDir,
  offset: number,
  onLines: (batch: LineBatch) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const splitter = createLineSplitter(offset);
  for await (const chunk of readTranscript(dir, { from: offset })) {
    signal.throwIfAborted();
    const { texts, flaws } = splitter.pushTexts(chunk);
    const batch = { lines: texts, end: splitter.end };
    if (texts.length > 0) await onLines(flaws.length === 0 ? batch : { ...batch, flaws });
  }
}

async function openTranscript(path: string, from: number): Promise<{ stream: Readable; skip: number } | null> {
  // Twice, because it may be compressed between the two questions.
  for (let tries = 0; tries < 2; tries += 1) {
    const plain = await openIfThere(path);
    if (plain !== null) return { stream: plain.createReadStream({ start: from }), skip: 0 };
    const compressed = await openIfThere(`${path}.gz`);
    if (compressed !== null) {
      const bytes = createReadStream('', { fd: compressed });
      const stream = createGunzip();
      bytes.on('error', (error) => stream.destroy(error));
      stream.on('close', () => bytes.destroy());
      bytes.pipe(stream);
      return { stream, skip: from };
    }
  }
  return null;
}

async function openIfThere(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, 'r');
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return null;
    throw diskFault(error, path);
  }
}

/** null where it is unknown: one of the launches has no exit status, so its output may be incomplete, or is gone. */
export async function transcriptHash(dirs: readonly LaunchDir[]): Promise<string | null> {
  const all = createHash('sha256');
  for (const dir of dirs) {
    if (readStatus(dir) === null) return null;
    try {
      for await (const chunk of readTranscript(dir)) all.update(chunk);
    } catch (error) {
      if (isFault(error, 'not_found')) return null;
      throw error;
    }
  }
  return dirs.length === 0 ? null : all.digest('hex');
}
