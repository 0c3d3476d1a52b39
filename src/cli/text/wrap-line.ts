// Breaks a line at spaces so that it fits the terminal; what follows stands under a column of it. Pure.

import { textWidth } from './text-width.ts';

/** A word that is wider than the terminal stays whole, so that it can be copied. */
export function wrapLine(line: string, columns: number, under: number): string[] {
  if (textWidth(line) <= columns) return [line];
  const indent = ' '.repeat(Math.min(under, Math.floor(columns / 2)));
  const lines: string[] = [];
  let now = '';
  for (const [, gap = '', word = ''] of line.matchAll(/( *)([^ ]+)/g)) {
    if (now.trim() !== '' && textWidth(now + gap + word) > columns) {
      lines.push(now);
      now = indent + word;
    } else now += gap + word;
  }
  return [...lines, now];
}
