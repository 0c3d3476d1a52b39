// All output of the CLI: results to stdout, messages to stderr.

import { once } from 'node:events';
import type { Look } from '../client/context.ts';
import { createScreen, type Screen } from './screen.ts';

export interface Terminal {
  /** To stdout. Waits if the reader is slow. */
  print(text: string | Uint8Array): Promise<void>;
  /** A message line to stderr. */
  note(line: string): void;
  /** Rings the bell if there is a terminal. */
  ring(): void;
  /** The width of stdout; without end if it is no terminal. */
  readonly columns: number;
  /** A person is at the terminal. */
  readonly isWatched: boolean;
  /** For drawing in place; null if stdout cannot. */
  screen(look: Look): Screen | null;
  /** Colours are wanted and stdout is a terminal. */
  hasColour(look: Look): boolean;
}

export const terminal: Terminal = {
  async print(text) {
    if (!process.stdout.write(text)) await once(process.stdout, 'drain');
  },
  note(line) {
    process.stderr.write(`${line}\n`);
  },
  ring() {
    const stream = [process.stdout, process.stderr].find(({ isTTY }) => isTTY);
    stream?.write('\x07');
  },
  get columns() {
    return process.stdout.isTTY ? process.stdout.columns || 80 : Number.POSITIVE_INFINITY;
  },
  get isWatched() {
    return process.stdin.isTTY || process.stderr.isTTY;
  },
  hasColour: ({ colour }) => colour && process.stdout.isTTY,
  screen: ({ live }) => (live && process.stdout.isTTY ? createScreen(process.stdout) : null),
};

/** Exit silently when the reader closes the pipe, as in `signalbox logs | head`. */
export function endWithReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    process.exit(error.code === 'EPIPE' ? 0 : 1);
  });
}
