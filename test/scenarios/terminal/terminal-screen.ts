// A model of a terminal's screen: what a person sees after so many bytes. Knows the few sequences that Signalbox may use
// and keeps every other one to be looked at. Shares no code with src.

export interface ScreenModel {
  feed(text: string): void;
  /** Lines that scrolled away first, then those on the screen, without trailing blanks. */
  lines(): string[];
  resize(columns: number, rows: number): void;
  /** Control characters and sequences that no model of ours knows. */
  readonly strange: string[];
  readonly coloured: boolean;
  readonly bells: number;
}

const sequence =
  // oxlint-disable-next-line no-control-regex -- what terminals are about
  /^(?:\x1b\[([?]?)([\d;]*)([A-Za-z])|\x1b.?)/;

export function createScreenModel(columns: number, rows: number): ScreenModel {
  let [width, height] = [columns, rows];
  let cells: string[][] = [[]];
  /** The first line of the screen among all. */
  let [top, row, column] = [0, 0, 0];
  let wraps = true;
  let coloured = false;
  let bells = 0;
  let rest = '';
  const strange: string[] = [];

  const lineAt = (y: number): string[] => {
    while (cells.length <= y) cells.push([]);
    return cells[y] as string[];
  };
  const newLine = (): void => {
    row += 1;
    if (row - top >= height) top = row - height + 1;
    lineAt(row);
  };
  const put = (character: string): void => {
    const wide = widthOf(character);
    if (wide === 0) return;
    if (column + wide > width) {
      if (!wraps) column = width - wide;
      else {
        newLine();
        column = 0;
      }
    }
    const line = lineAt(row);
    while (line.length < column) line.push(' ');
    line[column] = character;
    if (wide === 2) line[column + 1] = '';
    column += wide;
  };
  const control = (mark: string, given: string, message: string): void => {
    const n = Number(given || '1');
    const what = mark + message;
    if (what === 'A') row = Math.max(top, row - n);
    else if (what === 'B') row = Math.min(top + height - 1, row + n);
    else if (what === 'C') column = Math.min(width - 1, column + n);
    else if (what === 'D') column = Math.max(0, column - n);
    else if (what === 'G') column = Math.min(width, n) - 1;
    else if (what === 'K' && Number(given) === 0) lineAt(row).length = Math.min(lineAt(row).length, column);
    else if (what === 'J' && Number(given) === 0) {
      lineAt(row).length = Math.min(lineAt(row).length, column);
      cells.length = row + 1;
    } else if (what === 'm') coloured = true;
    else if (what === '?l' && given === '7') wraps = false;
    else if (what === '?h' && given === '7') wraps = true;
    else strange.push(`CSI ${mark}${given}${message}`);
  };

  const feed = (text: string): void => {
    let left = rest + text;
    rest = '';
    while (left !== '') {
      const character = String.fromCodePoint(left.codePointAt(0) ?? 0);
      if (character === '\x1b') {
        const found = sequence.exec(left);
        // Cut in the middle: the rest comes with the next bytes.
        // oxlint-disable-next-line no-control-regex -- as above
        if (found === null || /^\x1b(\[[?\d;]*)?$/.test(left)) {
          rest = left;
          return;
        }
        if (found[3] === undefined) strange.push(JSON.stringify(found[0]));
        else control(found[1] ?? '', found[2] ?? '', found[3]);
        left = left.slice(found[0].length);
        continue;
      }
      left = left.slice(character.length);
      if (character === '\n') newLine();
      else if (character === '\r') column = 0;
      else if (character === '\x07') bells += 1;
      else if (character < ' ' || character === '\x7f') strange.push(JSON.stringify(character));
      else put(character);
    }
  };

  return {
    feed,
    lines: () => cells.map((line) => line.join('').trimEnd()),
    resize(newColumns, newRows) {
      // As newer terminals do it: lines that have become too long are broken.
      const before = row;
      const broken = cells.map((line) => chunks(line, newColumns));
      row = broken.slice(0, before).flat().length + Math.floor(Math.max(0, column - 1) / newColumns);
      column = Math.min(column, newColumns - 1);
      cells = broken.flat();
      [width, height] = [newColumns, newRows];
      top = Math.max(0, row - height + 1);
    },
    strange,
    get bells() {
      return bells;
    },
    get coloured() {
      return coloured;
    },
  };
}

function chunks(line: string[], size: number): string[][] {
  let end = line.length;
  while (end > 0 && (line[end - 1] ?? ' ') === ' ') end -= 1;
  const out: string[][] = [];
  for (let at = 0; at < end; at += size) out.push(line.slice(at, Math.min(at + size, end)));
  return out.length === 0 ? [[]] : out;
}

function widthOf(character: string): number {
  if (/\p{Mn}|\u200d|\ufe0f/u.test(character)) return 0;
  return /[\u1100-\u115f\u3000-\u9fff\uac00-\ud7a3\uff01-\uff60]|\p{Emoji_Presentation}/u.test(character) ? 2 : 1;
}
