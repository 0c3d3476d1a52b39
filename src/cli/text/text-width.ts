// How many columns a text takes in a terminal, and cutting or padding it to a number of columns. Expects text without
// control characters (plain-text.ts). Pure.

import { createRequire } from 'node:module';

type StringWidth = (text: string) => number;

export function textWidth(text: string): number {
  return isAscii(text) ? text.length : stringWidth(text);
}

/** As much of the text as fits into the columns; a text that does not fit ends with `…`. Never cuts inside a character. */
export function cutToWidth(text: string, columns: number): string {
  if (columns <= 0) return '';
  // Only the beginning of a very long text can matter.
  const near = text.length > columns * unitsPerColumnMax ? text.slice(0, columns * unitsPerColumnMax) : text;
  if (near === text && textWidth(text) <= columns) return text;
  if (isAscii(near)) return `${near.slice(0, columns - 1)}…`;
  const taken: string[] = [];
  let width = 0;
  for (const { segment } of segments(near)) {
    width += textWidth(segment);
    if (width > columns - 1) break;
    taken.push(segment);
  }
  // Some characters join with what follows them, the `…` included: together they may be wider.
  while (taken.length > 0 && textWidth(`${taken.join('')}…`) > columns) taken.pop();
  return `${taken.join('')}…`;
}

/** The text followed by spaces up to the width; a longer one is cut. */
export function padToWidth(text: string, columns: number): string {
  const cut = cutToWidth(text, columns);
  return cut + ' '.repeat(Math.max(0, columns - textWidth(cut)));
}

/** No character that people write has more UTF-16 units per column. */
const unitsPerColumnMax = 32;

function isAscii(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text);
}

let measure: StringWidth | null = null;

/** Loaded for the first text that is not ASCII: its segmenter takes longer to create than a short command runs. */
function stringWidth(text: string): number {
  measure ??= (createRequire(import.meta.url)('string-width') as { readonly default: StringWidth }).default;
  return measure(text);
}

let segmenter: Intl.Segmenter | null = null;

function segments(text: string): Iterable<{ segment: string }> {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return segmenter.segment(text);
}
