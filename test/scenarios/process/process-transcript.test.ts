// Transcripts, compressed once their launch has ended, stay whole wherever a crash comes between.

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { AssertionFailed } from '../../../src/std/assert.ts';
import { isFault } from '../../../src/std/fault.ts';
import { collect, fileHolds, never, openWorld, type World } from './process-world.ts';

let world: World;
beforeEach(() => {
  world = openWorld('plain');
});
afterEach(() => world.close());

const whole = Array.from({ length: 20_000 }, (_, i) => `line ${i} é\n`).join('');

async function ended(): Promise<string> {
  writeFileSync(join(world.work, 'text'), whole);
  const spec = world.sh('cat text; echo oops >&2; exit 3');
  await world.run(spec);
  return spec.launchId;
}

async function transcript(launchId: string, options?: { from?: number; stream?: 'out' | 'err' }): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of world.launches.readTranscript(launchId, options)) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

const names = (launchId: string) =>
  readdirSync(join(world.root, launchId))
    .filter((name) => /^(out|err)/.test(name))
    .sort();

it('a transcript reads the same before and after it is compressed, from any offset', async () => {
  const launchId = await ended();
  const from = Buffer.byteLength(whole) - 40;
  const tail = Buffer.from(whole).subarray(from).toString();
  for (const files of [
    ['err', 'out'],
    ['err.gz', 'out.gz'],
  ]) {
    expect(names(launchId)).toEqual(files);
    expect(await transcript(launchId)).toBe(whole);
    expect(await transcript(launchId, { from })).toBe(tail);
    expect(await transcript(launchId, { from: Buffer.byteLength(whole) })).toBe('');
    expect(await transcript(launchId, { stream: 'err' })).toBe('oops\n');
    await Promise.all([world.launches.compress(launchId), world.launches.compress(launchId)]);
  }
});

it('the hash of transcripts covers all of them, in order, compressed or not [PROV-4]', async () => {
  const [first, second] = [await ended(), await ended()];
  const both = createHash('sha256').update(whole).update(whole).digest('hex');
  expect(await world.launches.transcriptHash([first, second])).toBe(both);
  await world.launches.compress(first);
  expect(await world.launches.transcriptHash([first, second])).toBe(both);
  expect(await world.launches.transcriptHash([first])).not.toBe(both);
});

it('the hash is unknown for a launch without a known end or transcript [PROV-4]', async () => {
  const launchId = await ended();
  expect(await world.launches.transcriptHash([launchId, 'launch_none'])).toBeNull();
  expect(await world.launches.transcriptHash([])).toBeNull();
  rmSync(join(world.root, launchId, 'rc'));
  expect(await world.launches.transcriptHash([launchId])).toBeNull();
  writeFileSync(join(world.root, launchId, 'rc'), '0\n');
  rmSync(join(world.root, launchId, 'out'));
  expect(await world.launches.transcriptHash([launchId])).toBeNull();
});

it('a compressed launch can still be watched from any offset, killed and observed', async () => {
  const launchId = await ended();
  const plain = await collect(world.launches, launchId);
  await world.launches.compress(launchId);
  expect(await collect(world.launches, launchId)).toEqual(plain);
  const rest: string[] = [];
  const from = Buffer.byteLength('line 0 é\n');
  await world.launches.watch(launchId, from, async (batch) => void rest.push(...batch.lines), never);
  expect(rest).toEqual(plain.lines.slice(1));
  await world.launches.signal(launchId, 'kill');
  expect(names(launchId)).toEqual(['err.gz', 'out.gz']);
  expect(await world.launches.look(launchId)).toEqual({ kind: 'ended', status: 3 });
});

it('a crash at any point of compressing loses nothing, and compressing again finishes', async () => {
  const launchId = await ended();
  const at = (name: string) => join(world.root, launchId, name);
  // Died while writing the temporary file.
  writeFileSync(at('out.gz.tmp'), gzipSync('half').subarray(0, 10));
  expect(await transcript(launchId)).toBe(whole);
  await world.launches.compress(launchId);
  expect(names(launchId)).toEqual(['err.gz', 'out.gz']);
  // Died between rename and unlink.
  writeFileSync(at('out'), whole);
  expect(await transcript(launchId)).toBe(whole);
  await world.launches.compress(launchId);
  expect(names(launchId)).toEqual(['err.gz', 'out.gz']);
  expect(await transcript(launchId)).toBe(whole);
  expect(existsSync(at('out.gz.tmp'))).toBe(false);
  expect(readFileSync(at('out.gz')).length).toBeLessThan(whole.length / 2);
});

it('a running launch is not compressed; one that never was has no transcript', async () => {
  const spec = world.sh('echo up; sleep 300');
  await world.launches.start(spec, never);
  await fileHolds(join(world.root, spec.launchId, 'out'));
  await expect(world.launches.compress(spec.launchId)).rejects.toThrow(AssertionFailed);
  expect(await transcript(spec.launchId)).toBe('up\n');
  await expect(transcript('nobody')).rejects.toSatisfy((error) => isFault(error, 'not_found'));
});

it('room for further output is known in bytes', async () => {
  expect(await world.launches.freeBytes()).toBeGreaterThan(1_000_000);
});
