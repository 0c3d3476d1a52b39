// Lines of a terminal that are drawn again in place. No mode of the terminal is changed beyond one write, so that there
// is nothing to put back however this program ends; and no alternate screen: what was drawn last stays.

import { textWidth } from '../text/text-width.ts';

/** The part of a terminal's stream that is needed. */
export interface TtyStream {
  readonly columns: number;
  readonly rows: number;
  write(text: string): unknown;
  on(event: 'resize', listener: () => void): unknown;
  off(event: 'resize', listener: () => void): unknown;
}

export interface Screen {
  /** Room for a line, and for lines. */
  size(): { readonly columns: number; readonly rows: number };
  /** Replaces what was drawn. Each line must be plain but for our own colours, and fit. One write, or none. */
  draw(lines: readonly string[]): void;
  /** A line that stays, above what is drawn. */
  say(line: string): void;
  /** What is drawn stays as it is; whatever comes next begins below it. */
  release(): void;
  erase(): void;
  /** Called when there is another size. Gives the function that forgets the listener. */
  onResize(listener: () => void): () => void;
}

export function createScreen(stream: TtyStream): Screen {
  let drawn: readonly string[] = [];
  let columnsThen = 0;

  /** Newer terminals break lines that have become too long, so a narrower one has more of them. */
  const height = (): number =>
    drawn.reduce((sum, line) => sum + Math.max(1, Math.ceil(textWidth(unpainted(line)) / widthOf(stream))), 0);
  const up = (): string => (drawn.length === 0 ? '\r' : `\x1b[${height()}A\r`);
  /** Without automatic wrapping a character of unexpected width can spoil only its own line. */
  const body = (lines: readonly string[]): string =>
    `\x1b[?7l${lines.map((line) => `${line}\x1b[K\n`).join('')}\x1b[J\x1b[?7h`;

  const replace = (lines: readonly string[], above: string): void => {
    stream.write(`${up()}${above}${body(lines)}`);
    drawn = lines;
    columnsThen = widthOf(stream);
  };
  return {
    // The last column stays empty, and the cursor's line below the last.
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
  // A terminal that was not told its size says 0.
  return columns > 1 ? columns : columnsUsual;
}

function unpainted(line: string): string {
  // oxlint-disable-next-line no-control-regex -- our own colours
  return line.replace(/\x1b\[\d+m/g, '');
}
