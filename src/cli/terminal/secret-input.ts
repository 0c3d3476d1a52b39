// Reads a secret from a pipe, or from a terminal without echo.

import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { Fault } from '../../std/fault.ts';

const bytesMax = 64 * 1024;

/** Whether a person can be asked. */
export function canAsk(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}

/** All of stdin. */
export async function readAll(): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > bytesMax)
      throw new Fault('bad_request', 'the input is too long for a key or token; nothing was stored');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** One line, without echo. */
export async function readHidden(question: string): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true, historySize: 0 });
  // Ask only now: earlier, the terminal would still echo pasted text.
  process.stderr.write(question);
  try {
    return await new Promise<string>((resolve, reject) => {
      lines.once('line', (line) => resolve(line.trim()));
      lines.once('close', () => resolve(''));
      lines.once('SIGINT', () => reject(new Fault('bad_request', 'cancelled; nothing was stored')));
    });
  } finally {
    lines.close();
    process.stderr.write('\n');
  }
}
