// The journal's promises under many callers at once, and against a trivial model.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AppendOutcome, Journal, StreamAppend } from '../../src/ports/journal.ts';
import { chainIsSound, part, readAll } from './journal-tools.ts';

export function journalConcurrency(journal: () => Journal): void {
  test('of 100 writers racing for one stream exactly one wins each number [JRN-2]', async () => {
    const winners: number[] = [];
    await Promise.all(
      Array.from({ length: 100 }, async (_, writer) => {
        for (let expected = 0; expected < 5; expected++) {
          const outcome = await journal().append([part('run_1', expected, [`${writer}`])]);
          if (outcome.kind === 'appended') winners.push(expected);
        }
      }),
    );
    expect(winners.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4]);
    const events = await readAll(journal(), 'run_1');
    expect(events).toHaveLength(5);
    expect(chainIsSound(events)).toBe(true);
  });

  test('appends requested in a row are stored in that order', async () => {
    const asked = Array.from({ length: 200 }, (_, i) => journal().append([part('run_1', i, [`${i}`])]));
    for (const outcome of await Promise.all(asked)) expect(outcome.kind).toBe('appended');
    expect((await readAll(journal(), 'run_1')).map((e) => e.data)).toEqual(
      Array.from({ length: 200 }, (_, i) => `${i}`),
    );
  });

  test('a concurrent reader sees whole appends, in order, and everything acknowledged [JRN-11]', async () => {
    let acknowledged = 0;
    let writing = true;
    const write = async (): Promise<void> => {
      for (let i = 0; i < 300; i += 3) {
        await journal().append([part('run_1', i, [`${i}`, `${i + 1}`, `${i + 2}`])]);
        acknowledged = i + 3;
      }
      writing = false;
    };
    const read = async (): Promise<void> => {
      while (writing) {
        const floor = acknowledged;
        const events = await journal().read('run_1', 0, 1000);
        expect(events.length % 3).toBe(0);
        expect(events.length).toBeGreaterThanOrEqual(floor);
        expect(chainIsSound(events)).toBe(true);
        // A journal that answers without leaving the microtask queue would starve the writer's own turn.
        await new Promise((resolve) => void setImmediate(resolve));
      }
    };
    await Promise.all([write(), read()]);
    expect(await journal().verify()).toEqual([]);
  });

  test('any sequence of appends, one by one or concurrent, agrees with a map of arrays', async () => {
    let number = 0;
    const streams = ['a', 'b', 'c'];
    const append = fc.uniqueArray(
      fc.record({
        stream: fc.constantFrom(...streams),
        miss: fc.constantFrom(0, 0, 0, 0, -1, 1),
        events: fc.integer({ min: 1, max: 40 }),
        open: fc.boolean(),
      }),
      { minLength: 1, maxLength: 3, selector: (p) => p.stream },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(append, { minLength: 1, maxLength: 4 }), { maxLength: 8 }), async (bursts) => {
        const prefix = `case_${++number}/`;
        const model = new Map<string, { texts: string[]; open: boolean }>();
        for (const burst of bursts) {
          const asked = burst.map((parts) => parts.map((p) => request(model, `${prefix}${p.stream}`, p)));
          const outcomes = Promise.all(asked.map((parts) => journal().append(parts)));
          const expected = asked.map((parts) => applied(model, parts));
          expect(await outcomes).toEqual(expected);
        }
        const heads = await journal().heads({ prefix });
        const modelled = [...model.keys()].sort();
        expect(heads.map((h) => h.stream)).toEqual(modelled);
        for (const head of heads) {
          const kept = model.get(head.stream);
          const events = await readAll(journal(), head.stream, 17);
          expect([head.open, head.seq, events.map((e) => e.data)]).toEqual([
            kept?.open,
            kept?.texts.length,
            kept?.texts,
          ]);
          expect(chainIsSound(events)).toBe(true);
        }
      }),
      { numRuns: 60 },
    );
    expect(await journal().verify()).toEqual([]);
  });
}

type Model = Map<string, { texts: string[]; open: boolean }>;

function request(model: Model, stream: string, p: { miss: number; events: number; open: boolean }): StreamAppend {
  const expected = Math.max(0, (model.get(stream)?.texts.length ?? 0) + p.miss);
  return part(
    stream,
    expected,
    Array.from({ length: p.events }, (_, i) => `${expected + i}`),
    p.open,
  );
}

function applied(model: Model, parts: readonly StreamAppend[]): AppendOutcome {
  for (const { stream, expected } of parts) {
    const head = model.get(stream)?.texts.length ?? 0;
    if (head !== expected) return { kind: 'conflict', stream, expected, head };
  }
  for (const { stream, events, open } of parts) {
    const texts = [...(model.get(stream)?.texts ?? []), ...events.map((e) => e.data)];
    model.set(stream, { texts, open });
  }
  return { kind: 'appended' };
}
