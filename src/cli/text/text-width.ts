// How many columns of a terminal a text takes, and cutting it to a number of them. Expects text without control
// characters (plain-text.ts). Pure.

/** Columns that the text takes. Where terminals disagree (joined emoji) this is what the newer ones do. */
export function textWidth(text: string): number {
  if (isAscii(text)) return text.length;
  let width = 0;
  for (const { segment } of segments(text)) width += clusterWidth(segment);
  return width;
}

/** As much as fits into the columns; a text that does not fit ends with `…`. Never half a character. */
export function cutToWidth(text: string, columns: number): string {
  if (columns <= 0) return '';
  // A text of so many UTF-16 units is looked at only as far as it can matter.
  const near = text.length > columns * unitsPerColumnMax ? text.slice(0, columns * unitsPerColumnMax) : text;
  if (near === text && textWidth(text) <= columns) return text;
  if (isAscii(near)) return `${near.slice(0, columns - 1)}…`;
  const taken: string[] = [];
  let width = 0;
  for (const { segment } of segments(near)) {
    width += clusterWidth(segment);
    if (width > columns - 1) break;
    taken.push(segment);
  }
  // Some characters take what follows into their own, the mark too: together they may be wider.
  while (taken.length > 0 && textWidth(`${taken.join('')}…`) > columns) taken.pop();
  return `${taken.join('')}…`;
}

/** The text followed by spaces up to the width; a longer one is cut. */
export function padToWidth(text: string, columns: number): string {
  const cut = cutToWidth(text, columns);
  return cut + ' '.repeat(Math.max(0, columns - textWidth(cut)));
}

/** No honest cluster is longer: what is cut off beyond that could not have been shown. */
const unitsPerColumnMax = 32;

let segmenter: Intl.Segmenter | null = null;

function segments(text: string): Iterable<{ segment: string }> {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return segmenter.segment(text);
}

function isAscii(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text);
}

/** One character as people see it: a message with its marks, a flag, a joined emoji. */
function clusterWidth(cluster: string): number {
  if (cluster.length === 1 && cluster >= ' ' && cluster <= '~') return 1;
  if (/^[\p{Mn}\p{Me}\p{Cf}\p{Cc}\p{Zl}\p{Zp}]+$/u.test(cluster)) return 0;
  if (/^\p{Regional_Indicator}{2}|\ufe0f|\u20e3/u.test(cluster)) return 2;
  let width = 0;
  for (const character of cluster) width = Math.max(width, codePointWidth(character.codePointAt(0) ?? 0, character));
  return width;
}

function codePointWidth(code: number, character: string): number {
  if (/^\p{Emoji_Presentation}$/u.test(character)) return 2;
  return wide.some(([from, to]) => code >= from && code <= to) ? 2 : 1;
}

/** East Asian Width W and F, in whole blocks. */
const wide: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2329, 0x232a],
  [0x2e80, 0x303e],
  [0x3041, 0x33ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe10, 0xfe19],
  [0xfe30, 0xfe6f],
  [0xff01, 0xff60],
  [0xffe0, 0xffe6],
  [0x16fe0, 0x18aff],
  [0x1aff0, 0x1b2ff],
  [0x1f200, 0x1f2ff],
  [0x20000, 0x3fffd],
];
