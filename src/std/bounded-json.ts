// Parses JSON that may be hostile: nested so deep that walking it overflows the stack, or with half a surrogate pair in a text.
// The result can safely be walked, stored and shown. Knows nothing of what the JSON is about.

/** Far below what overflows a stack, and far above what real data needs. */
export const nestingMax = 500;

export interface BoundedJson {
  readonly value: unknown;
  /** Something was nested deeper than `nestingMax`; null stands in its place. */
  readonly isCut: boolean;
}

/** Throws a SyntaxError where the text is not JSON. */
export function parseBounded(text: string): BoundedJson {
  const bounded = cutNesting(text);
  const value: unknown = JSON.parse(bounded);
  return { value: escapedSurrogate.test(bounded) ? wholeCharactersIn(value) : value, isCut: bounded !== text };
}

const escapedSurrogate = /\\u[dD][89a-fA-F]/;

const [quote, backslash] = [0x22, 0x5c];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Cut as text: parsing a million levels would block everything for seconds. */
function cutNesting(text: string): string {
  // Each level takes two characters: a short text needs no check.
  if (text.length <= 2 * nestingMax) return text;
  let [kept, keptTo, depth, isCutting] = ['', 0, 0, false];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      at = endOfString(text, at);
    } else if (code === openList || code === openObject) {
      depth += 1;
      if (depth <= nestingMax || isCutting) continue;
      isCutting = true;
      kept += `${text.slice(keptTo, at)}null`;
    } else if (code === closeList || code === closeObject) {
      depth -= 1;
      if (depth !== nestingMax || !isCutting) continue;
      isCutting = false;
      keptTo = at + 1;
    }
  }
  if (isCutting) return kept;
  return kept === '' ? text : kept + text.slice(keptTo);
}

function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let before = at - 1;
    while (text.charCodeAt(before) === backslash) before -= 1;
    if ((at - before) % 2 === 1) return at;
  }
  return text.length;
}

/** Half a surrogate pair cannot be stored as UTF-8, and services refuse every request that contains one. */
export function wholeCharacters(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd');
}

function wholeCharactersIn(value: unknown): unknown {
  if (typeof value === 'string') return wholeCharacters(value);
  if (Array.isArray(value)) return value.map(wholeCharactersIn);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [wholeCharacters(key), wholeCharactersIn(inner)]),
  );
}
