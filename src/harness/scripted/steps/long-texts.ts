// Much text: many lines, or one of a given size.

import { setImmediate as breathe } from 'node:timers/promises';
import type { Stage } from '../agent/stage.ts';
import { writeWhole } from '../agent/write-whole.ts';
import type { Given } from './step-list.ts';

const batchBytes = 256 * 1024;
const pieceBytes = 1024 * 1024;

export async function saySize(given: Given<'say'>, stage: Stage): Promise<void> {
  if (given.bytes !== null) return sayLong(given.bytes, stage);
  let batch: string[] = [];
  let size = 0;
  for (let n = 1; n <= given.repeat; n++) {
    const line = `${stage.voice.sayLine(given.text.replaceAll('{n}', String(n)))}\n`;
    batch.push(line);
    size += line.length;
    if (size < batchBytes && n < given.repeat) continue;
    writeWhole(1, Buffer.from(batch.join('')));
    batch = [];
    size = 0;
    await breathe();
    stage.signal.throwIfAborted();
  }
}

/** One line of so many bytes, without its newline; not all of it is in memory at once. */
function sayLong(bytes: number, { voice }: Stage): void {
  const mark = '\u0000';
  const [before = '', after = ''] = voice.sayLine(mark).split(JSON.stringify(mark).slice(1, -1));
  const filler = bytes - Buffer.byteLength(before) - Buffer.byteLength(after);
  voice.use({ output_tokens: Math.ceil(filler / 4) });
  writeWhole(1, Buffer.from(before));
  const piece = Buffer.alloc(Math.min(filler, pieceBytes), 'x');
  for (let left = filler; left > 0; left -= piece.length) writeWhole(1, piece.subarray(0, left));
  writeWhole(1, Buffer.from(`${after}\n`));
}
