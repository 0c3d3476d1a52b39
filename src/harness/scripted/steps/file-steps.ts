// Steps on files of the workspace. Paths are relative to it; absolute ones are allowed.

import { appendFileSync, closeSync, existsSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { setTimeout as delay, setImmediate as nextTurnOfLoop } from 'node:timers/promises';
import { textIn } from '../../stream-json/untrusted-json.ts';
import type { Stage } from '../agent/stage.ts';
import { writeWhole } from '../agent/write-whole.ts';
import type { Given } from './step-list.ts';
import { useTool } from './tool-steps.ts';

const pieceBytes = 1024 * 1024;
const pollMs = 20;

/** `Write` replaces the file, `Edit` appends to it. */
export async function writeFile(
  name: 'Write' | 'Edit',
  { path, text, bytes }: Given<'write'>,
  stage: Stage,
  ask: boolean,
): Promise<void> {
  const content = name === 'Write' ? 'content' : 'new_string';
  const input = { file_path: path, ...(bytes === null ? { [content]: text } : { bytes }) };
  await useTool(stage, {
    name,
    input,
    ask,
    work: async (allowed) => {
      const target = resolve(textIn(allowed['file_path']) || path);
      mkdirSync(dirname(target), { recursive: true });
      if (bytes === null) put(name, target, textIn(allowed[content]));
      else await fill(name, target, bytes, stage.signal);
      return { text: `${name === 'Write' ? 'File written' : 'Text added'}: ${target}` };
    },
  });
}

export async function waitForFile(path: string, stage: Stage): Promise<void> {
  const command = `until [ -e '${path}' ]; do sleep 0.05; done`;
  await useTool(stage, {
    name: 'Bash',
    input: { command, description: 'wait' },
    ask: false,
    work: async () => {
      while (!existsSync(resolve(path))) await delay(pollMs, undefined, { signal: stage.signal });
      // Input that came before the file existed is read before the wait ends.
      await nextTurnOfLoop();
      return { text: '' };
    },
  });
}

function put(name: 'Write' | 'Edit', path: string, text: string): void {
  if (name === 'Write') writeFileSync(path, text);
  else appendFileSync(path, text);
}

async function fill(name: 'Write' | 'Edit', path: string, bytes: number, signal: AbortSignal): Promise<void> {
  const fd = openSync(path, name === 'Write' ? 'w' : 'a');
  try {
    const piece = Buffer.alloc(Math.min(bytes, pieceBytes), 'x');
    for (let left = bytes; left > 0; left -= piece.length) {
      signal.throwIfAborted();
      writeWhole(fd, piece.subarray(0, left));
    }
  } finally {
    closeSync(fd);
  }
}
