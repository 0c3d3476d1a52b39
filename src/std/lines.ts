// Splits a stream of bytes into whole lines with their byte offsets, the same for every way of cutting the stream into chunks.
// Does no I/O. Bytes after the last newline are kept for the next chunk, up to the maximum of one line: longer lines are
// counted, marked and cut.

import { Buffer, isAscii, isUtf8 } from 'node:buffer';
import { assert } from './assert.ts';

export interface Line {
  /** Without its newline. Of an oversize line only its first bytes. */
  readonly text: string;
  /** Offset of the first byte. */
  readonly start: number;
  /** Offset after the newline. */
  readonly end: number;
  readonly flaw?: LineFlaw;
}

/** `oversize`: longer than the maximum, cut. `invalid_utf8`: undecodable bytes were replaced by U+FFFD. */
export type LineFlaw = 'oversize' | 'invalid_utf8';

export interface LineTexts {
  readonly texts: readonly string[];
  readonly flaws: readonly { readonly index: number; readonly flaw: LineFlaw }[];
}

export interface LineSplitter {
  /** The lines that `chunk` completes. The chunk may be reused afterwards. */
  push(chunk: Uint8Array): Line[];
  /** The same without their offsets, at a tenth of the cost: `end` tells where they stop. */
  pushTexts(chunk: Uint8Array): LineTexts;
  /** Offset after the last whole line. */
  readonly end: number;
  /** Bytes held back because their line is not whole yet. */
  readonly heldBytes: number;
}

export const lineMaxBytes = 64 * 1024 * 1024;
/** How much of an oversize line is shown. */
export const oversizeShownBytes = 1024;

const newline = 0x0a;

export function createLineSplitter(offset: number, maxBytes: number = lineMaxBytes): LineSplitter {
  assert(Number.isSafeInteger(offset) && offset >= 0, `line offset ${offset}`);
  assert(maxBytes >= 1, 'a line may have at least one byte');
  let start = offset;
  let length = 0;
  let held: Buffer[] = [];
  let heldBytes = 0;

  const hold = (part: Buffer): void => {
    length += part.length;
    held.push(part);
    heldBytes += part.length;
    if (length > maxBytes && heldBytes > oversizeShownBytes) {
      // Copied, so that the few bytes shown do not keep the whole line in memory.
      held = [Buffer.from(Buffer.concat(held, oversizeShownBytes))];
      heldBytes = held[0]?.length ?? 0;
    }
  };

  const complete = (): Line => {
    const bytes = held.length === 1 && held[0] !== undefined ? held[0] : Buffer.concat(held, heldBytes);
    const line = lineOf(bytes, start, start + length + 1, length > maxBytes);
    start = line.end;
    length = 0;
    held = [];
    heldBytes = 0;
    return line;
  };

  const push = (chunk: Uint8Array): Line[] => {
    const bytes = bytesOf(chunk);
    const lines: Line[] = [];
    let from = 0;
    for (let at = bytes.indexOf(newline); at >= 0; at = bytes.indexOf(newline, from)) {
      hold(bytes.subarray(from, at));
      lines.push(complete());
      from = at + 1;
    }
    if (from < bytes.length) hold(Buffer.from(bytes.subarray(from)));
    return lines;
  };

  // Whole lines are decoded together and then cut, if nothing is wrong with any of them; else one by one.
  const pushTexts = (chunk: Uint8Array): LineTexts => {
    const bytes = bytesOf(chunk);
    const first = length > 0 ? bytes.indexOf(newline) + 1 : 0;
    const last = bytes.lastIndexOf(newline);
    const body = bytes.subarray(first, Math.max(first, last));
    if (last < first || body.length > maxBytes || !isUtf8(body)) return textsOf(push(bytes));
    const texts = textsOf(push(bytes.subarray(0, first)));
    const whole = body.toString(isAscii(body) ? 'latin1' : 'utf8').split('\n');
    start += body.length + 1;
    push(bytes.subarray(last + 1));
    return texts.texts.length === 0 ? { texts: whole, flaws: [] } : { ...texts, texts: [...texts.texts, ...whole] };
  };

  return {
    push,
    pushTexts,
    get end() {
      return start;
    },
    get heldBytes() {
      return heldBytes;
    },
  };
}

function bytesOf(chunk: Uint8Array): Buffer {
  return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
}

function textsOf(lines: readonly Line[]): LineTexts {
  return {
    texts: lines.map((line) => line.text),
    flaws: lines.flatMap(({ flaw }, index) => (flaw === undefined ? [] : [{ index, flaw }])),
  };
}

function lineOf(bytes: Buffer, start: number, end: number, oversize: boolean): Line {
  if (oversize) return { text: bytes.toString('utf8', 0, oversizeShownBytes), start, end, flaw: 'oversize' };
  const text = bytes.toString('utf8');
  return isUtf8(bytes) ? { text, start, end } : { text, start, end, flaw: 'invalid_utf8' };
}
