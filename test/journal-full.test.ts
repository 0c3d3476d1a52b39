// A full disk: strikes at every page a series of appends can need, and is over when there is room again.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Journal } from '../src/ports/journal.ts';
import { isFault } from '../src/std/fault.ts';
import { openReader } from '../src/store/sqlite/reader.ts';
import { openSqliteJournal } from '../src/store/sqlite/sqlite-journal.ts';
import { faultCode, part, readAll } from './conformance/journal-tools.ts';

const pageBytes = 4096;
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-full-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Appends to two streams at once, three at a time, until one fails; the number of acknowledged events in each. */
async function appendUntilFull(journal: Journal, stored: number): Promise<number> {
  for (let seq = stored; seq < 10_000; seq += 3) {
    const asked = [0, 1, 2].map((i) => {
      const texts = [`"${'x'.repeat(((seq + i) * 397) % 5000)}"`];
      return journal.append([part('run_1', seq + i, texts), part('run_2', seq + i, texts)]);
    });
    const ended = await Promise.allSettled(asked);
    const failed = ended.findIndex((one) => one.status === 'rejected' || one.value.kind === 'conflict');
    if (failed === -1) continue;
    const first = ended[failed];
    expect(first?.status === 'rejected' && isFault(first.reason) ? first.reason.code : 'no fault').toBe('disk_full');
    return seq + failed;
  }
  throw new Error('the disk never was full');
}

test('wherever the disk fills up, what was acknowledged is whole and writing goes on once there is room [JRN-6]', async () => {
  const path = join(folder, 'journal.db');
  let stored = 0;
  let opened = 0;
  for (let pages = 1; pages <= 40; pages++) {
    const asked = openSqliteJournal({ path, bytesMax: pages * pageBytes });
    const journal = await asked.catch((error: unknown) => {
      expect(isFault(error) ? error.code : error).toBe('disk_full');
      return null;
    });
    if (journal === null) continue;
    opened++;
    stored = await appendUntilFull(journal, stored);
    for (const stream of ['run_1', 'run_2']) expect((await journal.head(stream))?.seq ?? 0).toBe(stored);
    const { ops, close } = openReader(path);
    expect(ops.verify(null)).toEqual([]);
    close();
    await journal.close();
  }
  expect(opened).toBeGreaterThan(20);
  const journal = await openSqliteJournal({ path });
  expect(await journal.append([part('run_1', stored, ['1']), part('run_2', stored, ['1'])])).toEqual({
    kind: 'appended',
  });
  expect(await readAll(journal, 'run_1')).toHaveLength(stored + 1);
  await journal.close();
}, 60_000);

test('one append too large for the disk fails alone: those beside and after it are stored', async () => {
  const journal = await openSqliteJournal({ path: join(folder, 'journal.db'), bytesMax: 60 * pageBytes });
  const large = part('large', 0, ['x'.repeat(500_000)]);
  const asked = [part('run_1', 0, ['1']), large, part('run_2', 0, ['1'])].map((one) => journal.append([one]));
  expect(await asked[0]).toEqual({ kind: 'appended' });
  expect(await faultCode(Promise.resolve(asked[1]))).toBe('disk_full');
  expect(await asked[2]).toEqual({ kind: 'appended' });
  expect(await journal.append([part('large', 0, ['1'])])).toEqual({ kind: 'appended' });
  expect(await journal.verify()).toEqual([]);
  await journal.close();
});

test('a file system without room is a disk_full fault, and the same journal goes on once room is made [JRN-6]', async (context) => {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    return context.skip('mounting a small file system needs root');
  }
  try {
    const journal = await openSqliteJournal({ path: join(folder, 'journal.db') });
    const filler = join(folder, 'filler');
    await journal.append([part('run_1', 0, ['1'])]);
    expect(() => writeFileSync(filler, Buffer.alloc(3_000_000))).toThrow('ENOSPC');
    expect(await faultCode(journal.append([part('run_1', 1, ['x'.repeat(100_000)])]))).toBe('disk_full');
    expect((await journal.head('run_1'))?.seq).toBe(1);
    rmSync(filler);
    expect(await journal.append([part('run_1', 1, ['x'.repeat(100_000)])])).toEqual({ kind: 'appended' });
    expect(await journal.verify()).toEqual([]);
    await journal.close();
  } finally {
    execFileSync('umount', [folder]);
  }
});
