// Shows foreign text so that nothing in it controls the terminal, hides or changes the order of what is read. Such a character is
// shown as `<U+001B>`, never removed. What a person decides on is shown so that it leads back to the exact text. Pure.

import { cutTo } from './characters.ts';

/** Controls, formats (bidi, zero-width, tags), lone surrogates, other line ends, and all that fonts leave out. */
const unseen = '\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}';
/** Emoji are joined by characters without a width of their own: they stay. */
const emojiPart = '\\p{Extended_Pictographic}(?:\\ufe0f|\\p{Emoji_Modifier})?';
const emoji = `[0-9#*]\\ufe0f\\u20e3|${emojiPart}(?:\\u200d${emojiPart})*`;
/** What could be taken for a shown character is shown as one itself. */
const lookalike = '<(?=U\\+)';

const inText = new RegExp(`${emoji}|(?![\\n\\t])[${unseen}]`, 'gu');
const unseenIn = new RegExp(`^[${unseen}]$`, 'u');
/** Spaces that are not the one on the keyboard: shells do not split words at them. */
const inArgument = new RegExp(`${emoji}|(?![\\n\\t ])[${unseen}\\p{Zs}\\u2800]|${lookalike}`, 'gu');
const hiddenIn = new RegExp(`${emoji}|(?![\\n\\t ])[${unseen}\\p{Zs}\\u2800]`, 'gu');
const isPlainAscii = /^[\n\t\x20-~]*$/;

/** Line breaks and tabs stay. Shown again it is the same. */
export function plainText(text: string): string {
  return isPlainAscii.test(text) ? text : text.replace(inText, shown);
}

/** One line: line breaks and tabs become a space. */
export function plainLine(text: string): string {
  return plainText(text.replace(/\s*[\n\t]\s*/g, ' ').trim());
}

/** For what a person decides on: unusual spaces are shown too, and so is text that looks like a shown character. */
export function exactText(text: string): string {
  return text.replace(inArgument, shown);
}

/** The text that `exactText` shows so. */
export function fromShown(shownText: string): string {
  return shownText.replace(/<U\+([0-9A-F]{4,6})>/g, (_, code: string) =>
    String.fromCodePoint(Number.parseInt(code, 16)),
  );
}

/** What a program printed: its colours are left out, all other control sequences are shown. */
export function printedText(text: string): string {
  return plainText(text.replace(colours, '').replaceAll('\r\n', '\n'));
}

// oxlint-disable-next-line no-control-regex -- control characters are what this is about
const colours = /\x1b\[[0-9;:]*m/g;

/** The characters of a text that `exactText` shows by their number, with how often each occurs, in the order of the text. */
export function hiddenCharacters(text: string): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const [match] of text.matchAll(hiddenIn)) {
    if (!isLone(match)) continue;
    const name = shown(match);
    found.set(name, (found.get(name) ?? 0) + 1);
  }
  return found;
}

/** JSON in which such characters are escaped, in one line: a terminal can show it, and it parses to the same value. */
export function shownJson(value: unknown, indent?: number): string {
  return escapedJson(JSON.stringify(value, null, indent) ?? 'null');
}

/** The same for JSON that is text already. Outside of its strings JSON has no character that would be escaped. */
export function escapedJson(json: string): string {
  return isPlainJson.test(json) ? json : json.replace(inJson, (characters) => characters.replace(/[^]/g, escaped));
}

const isPlainJson = /^[\n\t\x20-~]*$/;
const inJson = new RegExp(`(?![\\n\\r\\t])[${unseen}]`, 'gu');

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** One line of at most `max` characters; `⏎` stands for a line break. */
export function visibleLine(text: string, max: number): string {
  const line = plainText(
    text
      .slice(0, 4 * max)
      .trim()
      .replace(/\s*[\r\n]+\s*/g, ' ⏎ ')
      .replace(/[ \t]+/g, ' '),
  );
  return line.length > max ? `${cutTo(line, max - 1)}…` : line;
}

function shown(match: string): string {
  if (!isLone(match) && match !== '<') return match;
  return `<U+${(match.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`;
}

/** Not an emoji. */
function isLone(match: string): boolean {
  return unseenIn.test(match) || /^[\p{Zs}\u2800]$/u.test(match);
}
