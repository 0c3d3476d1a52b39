// Cuts texts into parts. Some characters are two units of a string: a part must never hold half of one.

export interface TextPart {
  readonly text: string;
  readonly end: number;
  readonly more: boolean;
}

/** At most `max` units of a text from there on, without half a character at its end. */
export function textPart(text: string, from: number, max: number): TextPart {
  const part = text.slice(from, from + max).replace(halfAtEnd, '');
  const end = from + part.length;
  return { text: part, end, more: end < text.length };
}

/** The same from its beginning. */
export function cutTo(text: string, max: number): string {
  return textPart(text, 0, max).text;
}

const halfAtEnd = /(?<!^)[\ud800-\udbff]$/;
