// Globs over paths of a repository: whether one matches a path, and whether two can match the same path. Both are exact: a glob
// becomes a small automaton, and two overlap when their product reaches its end.
//
//   *      any characters but a slash        ?      one of them
//   **     any directories, also none        [a-z]  one of these, [!a-z] any other
//   {a,b}  either                            \      the next character as it is
//
// A glob that matches a directory matches everything in it, as in git: `src` is `src` and everything below.

export type PathGlob = readonly (readonly Token[])[];

export interface Token {
  readonly accepts: Characters;
  /** It stands for any number of characters. */
  readonly loops: boolean;
  /** How many tokens may be skipped from here without a character. */
  readonly skips: readonly number[];
}

/** A negated set stands for all other characters, of which there is no list. */
export interface Characters {
  readonly negated: boolean;
  readonly of: ReadonlySet<string>;
}

const any: Characters = { negated: true, of: new Set() };
const notSlash: Characters = { negated: true, of: new Set('/') };
const nothing: Characters = { negated: false, of: new Set() };
const slash: Characters = { negated: false, of: new Set('/') };

/** One sentence on what is wrong with it; null = nothing. */
export function flawOfGlob(text: string): string | null {
  const said = `"${text}" is not a path in the repository`;
  if (text === '' || text.includes('\0')) return `${said}: it is empty`;
  if (text.startsWith('/')) return `${said}: write it without the first slash`;
  if (plain(text).split('/').includes('..')) return `${said}: it leads out of it`;
  // Only brackets, braces and escapes can be unclosed.
  if (!/[[{\\]/.test(text)) return null;
  try {
    parseGlob(text);
    return null;
  } catch (error) {
    return `${said}: ${(error as Error).message}`;
  }
}

export function parseGlob(text: string): PathGlob {
  return alternatives(plain(text)).map((each) => [...tokensOf(each), ...allBelow]);
}

/** `./src/` is `src`. */
function plain(text: string): string {
  return text.replace(/^(?:\.\/+)+/, '').replace(/\/+$/, '');
}

const one = (accepts: Characters): Token => ({ accepts, loops: false, skips: [] });
const many = (accepts: Characters): Token => ({ accepts, loops: true, skips: [1] });
/** All of these tokens or none of them. */
const maybe = (...tokens: readonly Token[]): Token[] => [
  { accepts: nothing, loops: false, skips: [1, tokens.length + 1] },
  ...tokens,
];
const allBelow: readonly Token[] = maybe(one(slash), many(any));

export function globFits(glob: PathGlob, path: string): boolean {
  const characters = Array.from(path).map((character) => one({ negated: false, of: new Set([character]) }));
  return glob.some((each) => meet(each, characters));
}

/** Whether there is a path that both match. */
export function globsOverlap(a: PathGlob, b: PathGlob): boolean {
  return a.some((one) => b.some((other) => meet(one, other)));
}

/** Walks both at once; no pair of places is visited twice. */
function meet(a: readonly Token[], b: readonly Token[]): boolean {
  const seen = new Set<number>();
  const waiting = [0];
  const width = b.length + 1;
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    if (seen.has(place)) continue;
    seen.add(place);
    const [i, j] = [Math.floor(place / width), place % width];
    if (i === a.length && j === b.length) return true;
    const [left, right] = [a[i], b[j]];
    const go = (to: number, at: number): void => void waiting.push(to * width + at);
    for (const skip of left?.skips ?? []) go(i + skip, j);
    for (const skip of right?.skips ?? []) go(i, j + skip);
    if (left === undefined || right === undefined || !share(left.accepts, right.accepts)) continue;
    go(left.loops ? i : i + 1, right.loops ? j : j + 1);
  }
  return false;
}

function share(a: Characters, b: Characters): boolean {
  if (a.negated && b.negated) return true;
  const [listed, other] = a.negated ? [b, a] : [a, b];
  for (const character of listed.of) if (other.of.has(character) !== other.negated) return true;
  return false;
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  const characters = Array.from(text);
  for (let i = 0; i < characters.length; i += 1) {
    const character = characters[i] ?? '';
    const wholePart = i === 0 || characters[i - 1] === '/';
    if (character === '*' && characters[i + 1] === '*' && wholePart && (characters[i + 2] ?? '/') === '/') {
      // Including the slash after it, except at the end.
      if (i + 2 < characters.length) tokens.push(...maybe(many(any), one(slash)));
      else tokens.push(many(any));
      i += 2;
    } else if (character === '*') tokens.push(many(notSlash));
    else if (character === '?') tokens.push(one(notSlash));
    else if (character === '[') {
      const { accepts, end } = classAt(characters, i);
      tokens.push(one(accepts));
      i = end;
    } else {
      if (character === '\\') i += 1;
      tokens.push(one({ negated: false, of: new Set([characters[i] ?? '\\']) }));
    }
  }
  return tokens;
}

const rangeMax = 1_000;

function classAt(characters: readonly string[], start: number): { accepts: Characters; end: number } {
  const negated = characters[start + 1] === '!' || characters[start + 1] === '^';
  const first = start + (negated ? 2 : 1);
  // A leading bracket stands for itself.
  const end = characters.indexOf(']', first + 1);
  if (end < 0) throw new Error('a "[" has no "]"');
  const of = new Set<string>();
  for (let i = first; i < end; i += 1) {
    const [from, to] = [
      characters[i] ?? '',
      characters[i + 1] === '-' && i + 2 < end ? (characters[i + 2] ?? '') : null,
    ];
    if (to === null) of.add(from);
    else {
      for (const character of range(from, to)) of.add(character);
      i += 2;
    }
  }
  // No class matches a slash.
  if (negated) of.add('/');
  else of.delete('/');
  return { accepts: { negated, of }, end };
}

function range(from: string, to: string): string[] {
  const [low, high] = [from.codePointAt(0) ?? 0, to.codePointAt(0) ?? 0];
  if (high < low || high - low > rangeMax) throw new Error(`"${from}-${to}" is no range of characters`);
  return Array.from({ length: high - low + 1 }, (_, i) => String.fromCodePoint(low + i));
}

const alternativesMax = 1_000;

/** `a{b,c{d,e}}` is ab, acd, ace. */
function alternatives(text: string): string[] {
  const open = indexOfBrace(text);
  if (open < 0) return [text];
  const parts: string[] = [];
  let depth = 0;
  let from = open + 1;
  for (let i = open; i < text.length; i += 1) {
    if (text[i] === '\\') i += 1;
    else if (text[i] === '{') depth += 1;
    else if (text[i] === '}') depth -= 1;
    if (depth === 0 || (depth === 1 && text[i] === ',')) {
      parts.push(text.slice(from, i));
      from = i + 1;
    }
    if (depth > 0) continue;
    const all = parts.flatMap((part) => alternatives(text.slice(0, open) + part + text.slice(i + 1)));
    if (all.length > alternativesMax) throw new Error(`it has more than ${alternativesMax} alternatives`);
    return all;
  }
  throw new Error('a "{" has no "}"');
}

function indexOfBrace(text: string): number {
  for (let i = 0; i < text.length; i += 1) {
    if (text[i] === '\\') i += 1;
    else if (text[i] === '{') return i;
  }
  return -1;
}
