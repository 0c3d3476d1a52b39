// Reads requirement ids: those docs/SPEC.md declares as `- **T-7** …`, and those that test titles name in
// brackets, `[T-7]` or `[T-7, T-8]`.

const declared = /^\s*- \*\*([A-Z]+-\d+)\*\*/gm;
const named = /\[([A-Z]+-\d+(?:,\s*[A-Z]+-\d+)*)\]/g;

/** The ids in the order they are declared, duplicates included. */
export function idsOfSpec(markdown: string): string[] {
  return [...markdown.matchAll(declared)].map((match) => match[1] ?? '');
}

/** The ids that the titles of the tests in this source name. A test that is commented out proves nothing. */
export function idsOfTests(source: string): string[] {
  const titles = titlesOf(source.replace(/^\s*\/\/.*$/gm, ''));
  const lists = titles.flatMap((title) => [...title.matchAll(named)].map((match) => match[1] ?? ''));
  return lists.flatMap((list) => list.split(/,\s*/));
}

export interface Coverage {
  unproved: string[];
  unknown: string[];
  duplicate: string[];
}

export function coverageOf(specIds: readonly string[], testIds: readonly string[]): Coverage {
  return {
    unproved: [...new Set(specIds)].filter((id) => !testIds.includes(id)),
    unknown: [...new Set(testIds)].filter((id) => !specIds.includes(id)),
    duplicate: [...new Set(specIds.filter((id, at) => specIds.indexOf(id) !== at))],
  };
}

/** The first argument of every `it(…)` and `test(…)`, also behind `.each(…)`, `.runIf(…)` and their like. */
export function titlesOf(source: string): string[] {
  const titles: string[] = [];
  for (const call of source.matchAll(/(?<![\w.$])(?:it|test)((?:\.\w+)*)(?:<[^(`]*>)?\s*(?=[(`])/g)) {
    if (/\.(skip|todo)\b/.test(call[1] ?? '')) continue;
    let at = call.index + call[0].length;
    if (source[at] === '`') at = endOfString(source, at);
    let title = titleAt(source, at);
    // Not a string: the argument of a modifier, and the title stands in the call behind it.
    if (title === undefined) title = titleAt(source, endOfCall(source, at));
    if (title !== undefined) titles.push(title);
  }
  return titles;
}

function titleAt(source: string, at: number): string | undefined {
  const opening = /^\s*\(\s*(?=['"`])/.exec(source.slice(at, at + 200));
  if (opening === null) return undefined;
  const start = at + opening[0].length;
  return source.slice(start + 1, endOfString(source, start) - 1);
}

/** The place behind the bracket that closes the one at `at`. */
function endOfCall(source: string, at: number): number {
  let depth = 0;
  for (let i = at; i < source.length; i += 1) {
    const char = source[i] ?? '';
    if ('\'"`'.includes(char)) i = endOfString(source, i) - 1;
    else if (char === '(') depth += 1;
    else if (char === ')') depth -= 1;
    if (depth === 0) return i + 1;
  }
  return source.length;
}

/** The place behind the quote that closes the one at `at`. */
function endOfString(source: string, at: number): number {
  for (let i = at + 1; i < source.length; i += 1) {
    if (source[i] === '\\') i += 1;
    else if (source[i] === source[at]) return i + 1;
  }
  return source.length;
}
