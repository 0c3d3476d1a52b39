// Removes escape sequences, control characters and text-direction marks, so that foreign text cannot control the
// terminal, or shows them. Pure.

import { cutTo } from './characters.ts';

/** ESC [ …, ESC ] … (BEL or ESC \), ESC P/X/^/_ … ESC \, any other ESC and its character; and their 8-bit forms. */
const sequences =
  // oxlint-disable-next-line no-control-regex -- control characters are what this is about
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c|$)|\x1b[ -/]*[0-~]?/g;
// oxlint-disable-next-line no-control-regex -- as above
const controls = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Line breaks and tabs stay. */
export function plainText(text: string): string {
  return text.replace(sequences, '').replace(controls, '');
}

/** One line: line breaks and tabs become a space. */
export function plainLine(text: string): string {
  return plainText(text)
    .replace(/[\n\t]+/g, ' ')
    .trim();
}

/** One line of at most `max` characters in which control characters are shown instead of removed: `\\x1b`, `⏎` for a line break. */
export function visibleLine(text: string, max: number): string {
  const line = text
    .slice(0, 4 * max)
    .trim()
    .replace(/\s*[\r\n]+\s*/g, ' ⏎ ')
    .replace(/[ \t]+/g, ' ')
    .replace(controls, (character) => {
      const code = character.charCodeAt(0);
      return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
    });
  return line.length > max ? `${cutTo(line, max - 1)}…` : line;
}
