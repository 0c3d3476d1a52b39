// Redraws lines in place. Changes no terminal mode beyond one write, so nothing has to be restored however this program
// ends. Uses no alternate screen: the last frame stays.

import { textWidth } from '../text/text-width.ts';

/** The needed part of a terminal stream. */
export interface TtyStream {
  readonly columns: number;
  readonly rows: number;
  write(text: string): unknown;
  on(event: 'resize', listener: () => void): unknown;
  off(event: 'resize', listener: () => void): unknown;
}

export interface Screen {
  /** Usable columns and rows. */
  size(): { readonly columns: number; readonly rows: number };
  /** Replaces the frame with one write, or none if nothing changed. Lines must be plain text with our colours, and fit. */
  draw(lines: readonly string[]): void;
  /** Prints a permanent line above the frame. */
  say(line: string): void;
  /** Leaves the frame as it is; further output starts below it. */
  release(): void;
  erase(): void;
  /** Returns the function that removes the listener. */
  onResize(listener: () => void): () => void;
}

export function createScreen(stream: TtyStream): Screen {
  let drawn: readonly string[] = [];
  let columnsThen = 0;

  /** Terminals rewrap lines when they become narrower, so the frame may have grown. */
  const height = (): number =>
    drawn.reduce((sum, line) => sum + Math.max(1, Math.ceil(textWidth(unpainted(line)) / widthOf(stream))), 0);
  const up = (): string => (drawn.length === 0 ? '\r' : `\x1b[${height()}A\r`);
  /** Without wrapping, a character of unexpected width spoils only its own line. */
  const body = (lines: readonly string[]): string =>
    `\x1b[?7l${lines.map((line) => `${line}\x1b[K\n`).join('')}\x1b[J\x1b[?7h`;

  const replace = (lines: readonly string[], above: string): void => {
    stream.write(`${up()}${above}${body(lines)}`);
    drawn = lines;
    columnsThen = widthOf(stream);
  };
  return {
    // Keep the last column and the cursor's line free.
    size: () => ({ columns: widthOf(stream) - 1, rows: Math.max(2, (stream.rows || rowsUsual) - 1) }),
    draw(lines) {
      const same = lines.length === drawn.length && lines.every((line, i) => line === drawn[i]);
      if (!same || columnsThen !== widthOf(stream)) replace(lines, '');
    },
    say: (line) => replace(drawn, `${line}\x1b[K\n`),
    release() {
      drawn = [];
    },
    erase() {
      if (drawn.length > 0) stream.write(`${up()}\x1b[J`);
      drawn = [];
    },
    onResize(listener) {
      stream.on('resize', listener);
      return () => stream.off('resize', listener);
    },
  };
}

const columnsUsual = 80;
const rowsUsual = 24;

function widthOf({ columns }: TtyStream): number {
  // A terminal without a known size reports 0.
  return columns > 1 ? columns : columnsUsual;
}

function unpainted(line: string): string {
  // oxlint-disable-next-line no-control-regex -- our own colours
  return line.replace(/\x1b\[\d+m/g, '');
}
