// What every journal promises, as tests. It must know nothing of any store: a store hands in how to open one.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Journal } from '../../src/ports/journal.ts';
import { journalConcurrency } from './journal-concurrency.ts';
import { chainIsSound, faultCode, part, readAll } from './journal-tools.ts';

export interface OpenedJournal {
  readonly journal: Journal;
  /** A new journal on what the first one left, after that was closed. */
  reopen(): Promise<Journal>;
  cleanUp(): Promise<void>;
}

export function journalConformance(name: string, open: () => Promise<OpenedJournal>): void {
  describe(`journal: ${name}`, () => {
    let opened: OpenedJournal;
    const journal = (): Journal => opened.journal;
    beforeEach(async () => {
      opened = await open();
    });
    afterEach(async () => {
      await opened.journal.close();
      await opened.cleanUp();
    });

    appends(journal);
    fences(journal);
    heads(journal);
    snapshots(journal);
    closing(() => opened);
    journalConcurrency(journal);
  });
}

function appends(journal: () => Journal): void {
  test('events are read back as appended, numbered from 1 and chained [JRN-3]', async () => {
    await journal().append([part('run_1', 0, ['{"n":1}', '{"n":2}'])]);
    await journal().append([{ ...part('run_1', 2, ['{"n":3}']), at: 99 }]);
    const events = await readAll(journal(), 'run_1');
    expect(events.map((e) => [e.stream, e.seq, e.at, e.type, e.data])).toEqual([
      ['run_1', 1, 10, 'noted', '{"n":1}'],
      ['run_1', 2, 10, 'noted', '{"n":2}'],
      ['run_1', 3, 99, 'noted', '{"n":3}'],
    ]);
    expect(chainIsSound(events)).toBe(true);
    expect((await journal().head('run_1'))?.hash).toBe(events[2]?.hash);
    expect(await journal().verify()).toEqual([]);
  });

  test('a read starts after the event it names and ends at its limit, across hundreds of events', async () => {
    const texts = Array.from({ length: 300 }, (_, i) => `${i + 1}`);
    await journal().append([part('run_1', 0, texts.slice(0, 150)), part('run_2', 0, texts.slice(0, 7))]);
    await journal().append([part('run_1', 150, texts.slice(150))]);
    for (const after of [0, 1, 31, 32, 33, 63, 64, 65, 149, 150, 298, 299]) {
      for (const limit of [1, 2, 31, 32, 33, 1000]) {
        const events = await journal().read('run_1', after, limit);
        expect(events.map((e) => e.data)).toEqual(texts.slice(after, after + limit));
      }
    }
    expect(await journal().read('run_1', 300, 10)).toEqual([]);
    expect(await journal().read('run_1', 301, 10)).toEqual([]);
    expect(await journal().read('run_9', 0, 10)).toEqual([]);
  });

  test('a part without events is a fence alone: it stores nothing, and fails the append when its stream has moved', async () => {
    await journal().append([part('host/local', 0, ['1'])]);
    const fenced = (expected: number) => [
      part('run_1', 0, ['a']),
      { ...part('host/local', expected, []), open: false },
    ];
    expect(await journal().append(fenced(0))).toEqual({ kind: 'conflict', stream: 'host/local', expected: 0, head: 1 });
    expect(await readAll(journal(), 'run_1')).toEqual([]);
    expect(await journal().append(fenced(1))).toEqual({ kind: 'appended' });
    expect((await readAll(journal(), 'host/local')).length).toBe(1);
    expect(await journal().head('host/local')).toMatchObject({ seq: 1, open: true });
    expect(await journal().append([part('run_2', 0, ['a']), part('run_9', 0, [])])).toEqual({ kind: 'appended' });
    expect(await journal().head('run_9')).toBeNull();
  });

  test('any text survives: other scripts, emoji, quotes, escaped control characters, a megabyte', async () => {
    const texts = ['{"t":"żółć 漢字 🚂 \\u0000 \\ud800"}', '"\'"', '', ' \n\t', JSON.stringify('ü'.repeat(500_000))];
    await journal().append([part('run_1', 0, texts)]);
    expect((await readAll(journal(), 'run_1')).map((e) => e.data)).toEqual(texts);
    expect(await journal().verify('run_1')).toEqual([]);
  });

  test('pages are bounded in bytes and still return everything', async () => {
    const texts = Array.from({ length: 20 }, (_, i) => `"${i}${'x'.repeat(900_000)}"`);
    await journal().append([part('run_1', 0, texts)]);
    expect((await journal().read('run_1', 0, 1000)).length).toBeLessThan(20);
    expect((await readAll(journal(), 'run_1')).map((e) => e.data)).toEqual(texts);
  });

  test('an invalid append is refused as a bad request and stores nothing', async () => {
    const refused = [
      part('run_1', 0, ['x'.repeat(1024 * 1024 + 1)]),
      part('run_1', 0, ['a\0b']),
      part('run_1', 0, ['a\ud800b']),
      part('', 0, ['1']),
      part('run 1', 0, ['1']),
      part('r'.repeat(201), 0, ['1']),
      { ...part('run_1', 0, ['1']), events: [{ type: 'two words', data: '1' }] },
    ];
    for (const bad of refused) expect(await faultCode(journal().append([bad]))).toBe('bad_request');
    expect(await journal().heads({})).toEqual([]);
  });
}

function fences(journal: () => Journal): void {
  test('an append with a wrong expected number is refused with the true head [JRN-2]', async () => {
    await journal().append([part('run_1', 0, ['1', '2'])]);
    for (const expected of [0, 1, 3, 100]) {
      const outcome = await journal().append([part('run_1', expected, ['x'])]);
      expect(outcome).toEqual({ kind: 'conflict', stream: 'run_1', expected, head: 2 });
    }
    expect(await journal().append([part('run_9', 1, ['x'])])).toMatchObject({ kind: 'conflict', head: 0 });
    expect(await journal().append([part('run_1', 2, ['3'])])).toEqual({ kind: 'appended' });
  });

  test('an append to several streams is stored in all or in none [JRN-1]', async () => {
    await journal().append([part('run_1', 0, ['1']), part('host/local', 0, ['a'])]);
    const before = await journal().heads({});
    const parts = [part('run_1', 1, ['2'], false), part('run_2', 0, ['1']), part('host/local', 0, ['b'])];
    expect(await journal().append(parts)).toEqual({ kind: 'conflict', stream: 'host/local', expected: 0, head: 1 });
    expect(await journal().heads({})).toEqual(before);
    expect(await readAll(journal(), 'run_2')).toEqual([]);
    const kept = [part('run_1', 1, ['2'], false), part('run_2', 0, ['1']), part('host/local', 1, ['b'])];
    expect(await journal().append(kept)).toEqual({ kind: 'appended' });
    const seqs = (await journal().heads({})).map((h) => [h.stream, h.seq]);
    expect(seqs).toEqual([
      ['host/local', 2],
      ['run_1', 2],
      ['run_2', 1],
    ]);
  });
}

function heads(journal: () => Journal): void {
  test('heads are found by openness, prefix and page, sorted by name', async () => {
    const names = ['run_b', 'run_a', 'host/local', 'run_c', 'run', 'rum', 'run_~'];
    for (const stream of names) await journal().append([part(stream, 0, ['1'], stream !== 'run_b')]);
    const found = async (filter: Parameters<Journal['heads']>[0]) =>
      (await journal().heads(filter)).map((head) => head.stream);
    expect(await found({})).toEqual([...names].sort());
    expect(await found({ open: false })).toEqual(['run_b']);
    expect(await found({ open: true, prefix: 'run_' })).toEqual(['run_a', 'run_c', 'run_~']);
    expect(await found({ prefix: 'run_', after: 'run_a', limit: 1 })).toEqual(['run_b']);
    expect(await found({ prefix: 'zebra' })).toEqual([]);
    expect(await journal().head('zebra')).toBeNull();
  });

  test('a stream is open or closed as its last append said', async () => {
    for (const [seq, open] of [true, true, false, false, true, false].entries()) {
      await journal().append([part('run_1', seq, ['1'], open)]);
      expect(await journal().head('run_1')).toMatchObject({ seq: seq + 1, open });
      expect(await journal().heads({ open: !open })).toEqual([]);
      expect(await journal().heads({ open })).toHaveLength(1);
    }
  });
}

function snapshots(journal: () => Journal): void {
  test('a snapshot is replaced by a newer or equal one, never by an older', async () => {
    await journal().append([part('run_1', 0, ['1', '2', '3'])]);
    expect(await journal().loadSnapshot('run_1')).toBeNull();
    const of = (seq: number, data: string, format = 1) => ({ stream: 'run_1', seq, format, data });
    await journal().saveSnapshot(of(2, '"two"'));
    await journal().saveSnapshot(of(1, '"one"'));
    expect(await journal().loadSnapshot('run_1')).toEqual(of(2, '"two"'));
    await journal().saveSnapshot(of(2, '"zwei"', 2));
    expect(await journal().loadSnapshot('run_1')).toEqual(of(2, '"zwei"', 2));
    await journal().saveSnapshot(of(3, '"three"'));
    expect(await journal().loadSnapshot('run_1')).toEqual(of(3, '"three"'));
  });

  test('a snapshot of an event that is not stored is refused', async () => {
    await journal().append([part('run_1', 0, ['1'])]);
    const save = (stream: string, seq: number) => journal().saveSnapshot({ stream, seq, format: 1, data: '1' });
    expect(await faultCode(save('run_1', 2))).toBe('bad_request');
    expect(await faultCode(save('run_9', 1))).toBe('bad_request');
  });
}

function closing(opened: () => OpenedJournal): void {
  test('requests before close are done, later ones are refused, and everything is there on reopening', async () => {
    const { journal } = opened();
    const asked = Array.from({ length: 50 }, (_, i) => journal.append([part(`run_${i}`, 0, ['1', '2'])]));
    const saved = Promise.all(asked).then((all) => all.every((outcome) => outcome.kind === 'appended'));
    await journal.close();
    await journal.close();
    expect(await saved).toBe(true);
    expect(await faultCode(journal.append([part('run_1', 2, ['3'])]))).toBe('store_closed');
    expect(await faultCode(journal.read('run_1', 0, 1))).toBe('store_closed');
    expect(await faultCode(journal.heads({}))).toBe('store_closed');
    expect(await faultCode(journal.saveSnapshot({ stream: 'run_1', seq: 1, format: 1, data: '' }))).toBe(
      'store_closed',
    );
    expect(await faultCode(journal.loadSnapshot('run_1'))).toBe('store_closed');
    expect(await faultCode(journal.verify())).toBe('store_closed');
    const again = await opened().reopen();
    expect(await again.heads({})).toHaveLength(50);
    expect(await again.append([part('run_1', 2, ['3'])])).toEqual({ kind: 'appended' });
    expect(chainIsSound(await readAll(again, 'run_1'))).toBe(true);
    await again.close();
  });
}
