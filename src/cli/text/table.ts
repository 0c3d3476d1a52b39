// A table: names left-aligned, figures right-aligned. Pure.

import { padToWidth, textWidth } from './text-width.ts';

/** `left`: how many columns are left-aligned. A row may have fewer cells than the heading. */
export function tableLines(rows: readonly (readonly string[])[], left = 1): string[] {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((cells) => textWidth(cells[at] ?? ''))));
  return rows.map((cells) =>
    cells
      .map((cell, at) => (at < left ? padToWidth(cell, widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
}
