// Lays out the cells of a row, as many as fit the terminal. Pure.

import type { Paint, Style } from './paint.ts';
import { cutToWidth, padToWidth, textWidth } from './text-width.ts';

export type Cells = readonly [
  name: Cell,
  state: Cell,
  time: Cell,
  tokens: Cell,
  cost: Cell,
  context: Cell,
  doing: Cell,
];
type Cell = string | { readonly text: string; readonly style: Style | null };

interface Placed {
  readonly text: string;
  readonly style: Style | null;
}

/** Narrow terminals lose the least important cells first. Agent text comes last because its width is never certain. */
export function layOut(cells: Cells, columns: number, nameWidth: number): Placed[] {
  const [name, state, time, tokensCell, costCell, context, words] = cells;
  const left = (cell: Cell, width: number): Placed => placed(cell, (text) => padToWidth(text, width));
  const right = (cell: Cell, width: number): Placed => placed(cell, (text) => text.padStart(width));
  return [
    left(name, nameWidth),
    left(state, 9),
    ...(columns >= 36 ? [right(time, 7)] : []),
    ...(columns >= 76 ? [right(tokensCell, 6)] : []),
    ...(columns >= 56 ? [right(costCell, 8)] : []),
    ...(columns >= 90 ? [right(context, 7)] : []),
    placed(words, (text) => text),
  ];
}

function placed(cell: Cell, shape: (text: string) => string): Placed {
  return typeof cell === 'string' ? { text: shape(cell), style: null } : { text: shape(cell.text), style: cell.style };
}

export function fitted(cells: readonly Placed[], columns: number, paint: Paint, style: Style | null): string {
  let left = columns;
  const parts: string[] = [];
  for (const cell of cells) {
    const text = cutToWidth(cell.text, left);
    left -= textWidth(text) + 2;
    parts.push(paint(style ?? cell.style, text));
    if (left <= 0) break;
  }
  return parts.join('  ').trimEnd();
}
