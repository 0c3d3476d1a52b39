// A table: names left-aligned, figures right-aligned. Pure.

import { cutToWidth, padToWidth, textWidth } from './text-width.ts';

export interface TableOptions {
  /** How many columns are left-aligned; 1 if left out. */
  readonly left?: number;
  /** A wider table is cut: its first column first. */
  readonly columns?: number;
  /** For a cell that is laid out already; `row` 0 is the heading. */
  paint?(text: string, row: number, column: number): string;
}

/** A row may have fewer cells than the heading. */
export function tableLines(rows: readonly (readonly string[])[], options: TableOptions = {}): string[] {
  const { left = 1, columns = Number.POSITIVE_INFINITY, paint = (text: string) => text } = options;
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((cells) => textWidth(cells[at] ?? ''))));
  const excess = widths.reduce((sum, width) => sum + width + 2, -2) - columns;
  if (excess > 0) widths[0] = Math.max(firstMin, (widths[0] ?? 0) - excess);
  return rows.map((cells, row) => {
    let room = columns;
    const shown: string[] = [];
    for (const [at, cell] of cells.entries()) {
      const width = widths[at] ?? 0;
      const laid = at < left ? padToWidth(cell, width) : ' '.repeat(Math.max(0, width - textWidth(cell))) + cell;
      const fits = cutToWidth(at === cells.length - 1 ? laid.trimEnd() : laid, room);
      shown.push(paint(fits, row, at));
      room -= textWidth(fits) + 2;
      if (room <= 0) break;
    }
    return shown.join('  ').trimEnd();
  });
}

/** A shorter name says nothing. */
const firstMin = 8;
