// A writing process is killed at random points: whatever it had acknowledged is there, the chain holds, and
// the next process takes over at once.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openReader } from '../src/store/sqlite/reader.ts';
import { startChild } from './conformance/journal-child.ts';

const kills = 20;

/** Four writers, each to two streams at once, each printing what was acknowledged. */
const writer = `
  const journal = await openSqliteJournal({ path: args[0] });
  const seqOf = async (stream) => (await journal.head(stream))?.seq ?? 0;
  const part = (stream, expected) =>
    ({ stream, expected, at: 1, open: true, events: [{ type: 'noted', data: '"' + 'x'.repeat(expected % 3000) + '"' }] });
  await Promise.all([0, 1, 2, 3].map(async (n) => {
    const [a, b] = ['run_' + n, 'twin_' + n];
    let seq = await seqOf(a);
    if (await seqOf(b) !== seq) print('torn ' + n);
    for (;;) {
      const outcome = await journal.append([part(a, seq), part(b, seq)]);
      if (outcome.kind !== 'appended') { print('conflict ' + JSON.stringify(outcome)); break; }
      seq++;
      print('stored ' + a + ' ' + seq);
    }
  }));`;

test(`after each of ${kills} kills -9 every acknowledged event is there and nothing is half there [JRN-8] [JRN-1]`, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-crash-'));
  const path = join(folder, 'journal.db');
  const acknowledged = new Map<string, number>();
  for (let kill = 0; kill < kills; kill++) {
    const child = startChild(writer, [path]);
    await child.printed(/^stored/);
    // A different moment each time, spread evenly rather than by chance: the commits themselves are not in step.
    await new Promise((resolve) => setTimeout(resolve, (kill * 7) % 40));
    await child.kill();
    for (const line of child.lines) {
      const [word, stream, seq] = line.split(' ');
      expect(word).toBe('stored');
      acknowledged.set(String(stream), Math.max(Number(seq), acknowledged.get(String(stream)) ?? 0));
    }
    const { ops, close } = openReader(path);
    const heads = new Map(ops.heads({}).map((head) => [head.stream, head.seq]));
    for (const [stream, seq] of acknowledged) {
      expect(heads.get(stream)).toBeGreaterThanOrEqual(seq);
      expect(heads.get(stream)).toBe(heads.get(stream.replace('run_', 'twin_')));
    }
    expect(ops.verify(null)).toEqual([]);
    close();
  }
  expect(acknowledged.size).toBe(4);
  rmSync(folder, { recursive: true, force: true });
}, 120_000);
