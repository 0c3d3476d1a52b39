// Texts that are read in parts. Some characters are two units of a string: whoever is given halves of one has lost it.

export interface TextPart {
  readonly text: string;
  readonly end: number;
  readonly more: boolean;
}

/** At most so much of a text from there on, and no half of a character at its end. */
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
