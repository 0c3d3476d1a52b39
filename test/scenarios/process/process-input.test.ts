// A record is in `in` exactly once, wherever the write before was cut.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { launchDir } from '../../../src/process/launch/launch-dir.ts';
import { AssertionFailed } from '../../../src/std/assert.ts';
import { isFault } from '../../../src/std/fault.ts';
import { openWorld, type World } from './process-world.ts';

let world: World;
beforeEach(() => {
  world = openWorld('plain');
});
afterEach(() => world.close());

function inputHolding(content: Buffer): { launchId: string; path: string } {
  const { launchId } = world.spec(['true']);
  const dir = launchDir(world.root, launchId);
  mkdirSync(dir.path, { recursive: true });
  writeFileSync(dir.in, content);
  return { launchId, path: dir.in };
}

it('a record cut at any byte is completed, and writing it again changes nothing [PROC-6] [REC-2]', async () => {
  const before = Buffer.from('{"earlier":"ö"}\n');
  const record = '{"text":"zwölf 🙂 lines\\n"}\n';
  const bytes = Buffer.from(record);
  for (let cut = 0; cut <= bytes.length; cut += 1) {
    const { launchId, path } = inputHolding(Buffer.concat([before, bytes.subarray(0, cut)]));
    const end = before.length + bytes.length;
    expect(await world.launches.write(launchId, before.length, record)).toBe(end);
    expect(await world.launches.write(launchId, before.length, record)).toBe(end);
    expect(readFileSync(path)).toEqual(Buffer.concat([before, bytes]));
  }
});

it('any interleaving of repeats and cuts gives the records in order', async () => {
  const property = fc.asyncProperty(
    fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }), { minLength: 1, maxLength: 6 }),
    fc.array(fc.nat(5), { maxLength: 12 }),
    fc.nat(400),
    async (texts, repeats, cut) => {
      const records = texts.map((text) => `${JSON.stringify(text)}\n`);
      const whole = Buffer.from(records.join(''));
      const offsets = records.map((_, i) => Buffer.byteLength(records.slice(0, i).join('')));
      const { launchId, path } = inputHolding(whole.subarray(0, Math.min(cut, whole.length)));
      const put = (i: number) => world.launches.write(launchId, offsets[i] ?? 0, records[i] ?? '');
      for (let i = 0; i < records.length; i += 1) await put(i);
      for (const i of repeats) if (i < records.length) await put(i);
      expect(readFileSync(path)).toEqual(whole);
    },
  );
  await fc.assert(property, { numRuns: 60 });
});

it('two concurrent writers of the same record write it once', async () => {
  const { launchId, path } = inputHolding(Buffer.from(''));
  const record = `${'x'.repeat(300_000)}\n`;
  await Promise.all(Array.from({ length: 5 }, () => world.launches.write(launchId, 0, record)));
  expect(readFileSync(path, 'utf8')).toBe(record);
});

it('another record in its place, or a gap before it, is a bug and changes nothing', async () => {
  const { launchId, path } = inputHolding(Buffer.from('one\n'));
  await expect(world.launches.write(launchId, 0, 'two\n')).rejects.toThrow(AssertionFailed);
  await expect(world.launches.write(launchId, 2, 'ee\n')).rejects.toThrow(AssertionFailed);
  await expect(world.launches.write(launchId, 9, 'x\n')).rejects.toThrow(AssertionFailed);
  expect(readFileSync(path, 'utf8')).toBe('one\n');
});

it('a launch that was never prepared has no input', async () => {
  await expect(world.launches.write('nobody', 0, 'x\n')).rejects.toSatisfy((error) => isFault(error, 'not_found'));
});
