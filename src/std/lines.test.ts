import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createLineSplitter, type Line, oversizeShownBytes } from './lines.ts';

it('any chunking gives the same lines and offsets [PROC-8]', () => {
  // Few distinct bytes, so that newlines, torn characters and invalid sequences are frequent.
  const byte = fc.constantFrom(0x0a, 0x61, 0x22, 0xc3, 0xa9, 0xf0, 0x9f, 0x99, 0x82, 0xff, 0x0d);
  fc.assert(
    fc.property(
      fc.array(byte, { maxLength: 300 }),
      fc.array(fc.nat(300), { maxLength: 30 }),
      fc.nat(1000),
      fc.oneof(fc.integer({ min: 1, max: 40 }), fc.constant(1000)),
      (content, cuts, offset, maxBytes) => {
        const bytes = Buffer.from(content);
        const whole = split([bytes], offset, maxBytes);
        expect(split(chunksOf(bytes, cuts), offset, maxBytes)).toEqual(whole);
        expect(
          split(
            [...bytes].map((one) => Buffer.from([one])),
            offset,
            maxBytes,
          ),
        ).toEqual(whole);
        expectFaithful(whole, bytes, offset, maxBytes);
        expect(splitTexts(chunksOf(bytes, cuts), offset, maxBytes)).toEqual({
          texts: whole.lines.map((line) => line.text),
          flaws: whole.lines.map((line) => line.flaw),
          end: whole.end,
        });
      },
    ),
    { numRuns: 500 },
  );
});

it('bytes after the last newline are held, and the end stays before them', () => {
  const splitter = createLineSplitter(10);
  expect(splitter.push(Buffer.from('ab\ncd'))).toEqual([{ text: 'ab', start: 10, end: 13 }]);
  expect(splitter.end).toBe(13);
  expect(splitter.heldBytes).toBe(2);
  expect(splitter.push(Buffer.from('\n'))).toEqual([{ text: 'cd', start: 13, end: 16 }]);
});

it('a line over the maximum is marked, cut and not held in memory [PROC-8]', () => {
  const splitter = createLineSplitter(0, 10_000);
  const chunk = Buffer.alloc(4096, 'x');
  for (let i = 0; i < 100; i += 1) {
    expect(splitter.push(chunk)).toEqual([]);
    expect(splitter.heldBytes).toBeLessThanOrEqual(10_000);
  }
  const [line, next] = splitter.push(Buffer.from('\nok\n'));
  expect(line).toEqual({ text: 'x'.repeat(oversizeShownBytes), start: 0, end: 409_601, flaw: 'oversize' });
  expect(next).toEqual({ text: 'ok', start: 409_601, end: 409_604 });
});

it('a chunk may be reused by its owner', () => {
  const splitter = createLineSplitter(0);
  const chunk = Buffer.from('held');
  splitter.push(chunk);
  chunk.fill('?');
  expect(splitter.push(Buffer.from('\n'))[0]?.text).toBe('held');
});

function split(chunks: readonly Buffer[], offset: number, maxBytes: number): { lines: Line[]; end: number } {
  const splitter = createLineSplitter(offset, maxBytes);
  const lines = chunks.flatMap((chunk) => splitter.push(chunk));
  return { lines, end: splitter.end };
}

function splitTexts(chunks: readonly Buffer[], offset: number, maxBytes: number) {
  const splitter = createLineSplitter(offset, maxBytes);
  const texts: string[] = [];
  const flaws: (Line['flaw'] | undefined)[] = [];
  for (const chunk of chunks) {
    const got = splitter.pushTexts(chunk);
    const marks = new Map(got.flaws.map(({ index, flaw }) => [index, flaw]));
    texts.push(...got.texts);
    flaws.push(...got.texts.map((_, index) => marks.get(index)));
  }
  return { texts, flaws, end: splitter.end };
}

function chunksOf(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const at = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b), bytes.length];
  return at.slice(1).map((end, i) => bytes.subarray(at[i], end));
}

/** The lines tile the input up to its last newline, and hold its bytes. */
function expectFaithful(got: { lines: Line[]; end: number }, bytes: Buffer, offset: number, maxBytes: number): void {
  expect(got.end).toBe(offset + bytes.lastIndexOf(0x0a) + 1);
  let from = offset;
  for (const line of got.lines) {
    expect(line.start).toBe(from);
    const raw = bytes.subarray(line.start - offset, line.end - offset - 1);
    expect(line.text).toBe(raw.toString('utf8', 0, oversizeShownBytes));
    expect(line.flaw === 'oversize').toBe(raw.length > maxBytes);
    from = line.end;
  }
  expect(from).toBe(got.end);
}
