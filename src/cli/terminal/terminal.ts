// Where words go: documents and lines to stdout, prose beside them to stderr. Nobody else in the CLI writes.

import { once } from 'node:events';
import type { Look } from '../client/context.ts';
import { createScreen, type Screen } from './screen.ts';

export interface Terminal {
  /** stdout, as it is. Waits when the reader is slow. */
  print(text: string | Uint8Array): Promise<void>;
  /** A line of prose to stderr. */
  note(line: string): void;
  /** Rings where there is a terminal. */
  ring(): void;
  /** Somebody is there who could answer. */
  readonly isWatched: boolean;
  /** stdout, for drawing in place; null where it is no terminal that can. */
  screen(look: Look): Screen | null;
  /** Colours are wanted on stdout, and there is somebody to see them. */
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
  get isWatched() {
    return process.stdin.isTTY || process.stderr.isTTY;
  },
  hasColour: ({ colour }) => colour && process.stdout.isTTY,
  screen: ({ live }) => (live && process.stdout.isTTY ? createScreen(process.stdout) : null),
};

/** A reader that has seen enough, as in `signalbox logs | head`, ends us without a word. */
export function endWithReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    process.exit(error.code === 'EPIPE' ? 0 : 1);
  });
}
