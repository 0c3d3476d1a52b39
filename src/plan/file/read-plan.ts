// Reads a plan file: YAML, with the place of everything in it, so that each problem can be told where it stands. A file
// in which nothing is wrong is read by a quick parser alone.

import { type Document, isCollection, isMap, isScalar, LineCounter, type Node, parseDocument, visit } from 'yaml';
import { type PlanRead, planFrom } from './plan-from.ts';
import type { Place, PlanPath, Problem, Source } from './problem.ts';
import { quickValue } from './quick-yaml.ts';

export const planBytesMax = 2 ** 20;
/** How often aliases may stand for something: without a limit a small file could become a very large one. */
const aliasesMax = 100;
const errorsMax = 20;

export function readPlan(text: string, file: string): PlanRead {
  const refuse = (message: string, suggestion: string | null = null): PlanRead => ({
    plan: null,
    problems: [{ severity: 'error', message, file, line: 1, column: 1, suggestion }],
  });
  if (Buffer.byteLength(text) > planBytesMax) {
    return refuse('the file is larger than 1 MiB', 'put what is long into files of the repository and name them');
  }
  const parsed = once(() => parse(text));
  const quick = quickValue(text);
  if (quick !== null && quick.value !== null) return planFrom(quick.value, sourceOf(parsed, text, file));
  const { document, lines } = parsed();
  const flaws = [...syntaxProblems(document, lines, file), ...lostAliases(document, lines, file)];
  if (flaws.length > 0) return { plan: null, problems: flaws };
  try {
    const raw: unknown = document.toJS({ maxAliasCount: aliasesMax });
    if (raw === null) return refuse('the file is empty', '"signalbox plan new" writes one to begin with');
    return planFrom(raw, sourceOf(parsed, text, file));
  } catch (error) {
    if (error instanceof ReferenceError) return refuse(`it has more than ${aliasesMax} aliases`, 'write them out');
    throw error;
  }
}

interface ParsedFile {
  readonly document: Document;
  readonly lines: LineCounter;
}

function parse(text: string): ParsedFile {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, stringKeys: true, merge: false });
  return { document, lines };
}

function once<T>(work: () => T): () => T {
  let done: { readonly value: T } | null = null;
  return () => {
    done ??= { value: work() };
    return done.value;
  };
}

function syntaxProblems(document: Document, lines: LineCounter, file: string): Problem[] {
  const problems = document.errors.slice(0, errorsMax).map(({ pos: [from], message, code }): Problem => {
    const words = `${message.charAt(0).toLowerCase()}${message.slice(1)}`;
    const suggestion = (words === textEnded ? hints['TEXT_ENDED'] : hints[code]) ?? null;
    return { severity: 'error', message: `this is not YAML: ${words}`, file, ...placeAt(lines, from), suggestion };
  });
  // What follows in the same line is mostly a consequence.
  return problems.filter(({ line }, i) => i === 0 || problems[i - 1]?.line !== line);
}

function lostAliases(document: Document, lines: LineCounter, file: string): Problem[] {
  const problems: Problem[] = [];
  visit(document, {
    Alias(_, alias) {
      if (alias.resolve(document) !== undefined) return;
      const message = `nothing before it has the anchor "&${alias.source}"`;
      const place = placeAt(lines, alias.range?.[0] ?? 0);
      problems.push({
        severity: 'error',
        message,
        file,
        ...place,
        suggestion: 'put quotes around a text that begins with "*"',
      });
    },
  });
  return problems;
}

const textEnded = 'unexpected scalar at node end';

const hints: Readonly<Record<string, string>> = {
  TEXT_ENDED: 'a text in quotes ends at the next such quote: use the other kind inside it',
  MISSING_CHAR: 'something is not closed or has no ":" behind it',
  BAD_SCALAR_START: 'put quotes around the text',
  BAD_DQ_ESCAPE: 'use single quotes, between which a backslash is a character like others',
  TAB_AS_INDENT: 'indent with spaces',
  NON_STRING_KEY: 'a key is a single word',
  DUPLICATE_KEY: 'every name stands once in its mapping',
  MULTIPLE_DOCS: 'a file holds one plan: no line of "---" or "..." between',
  BLOCK_AS_IMPLICIT_KEY: 'put quotes around a text that has ": " in it',
  BAD_INDENT: 'what belongs together is indented alike',
};

/** The careful parse is dear, and only wanted when there is something to tell. */
function sourceOf(parsed: () => ParsedFile, text: string, file: string): Source {
  return {
    file,
    place(path, part) {
      const { document, lines } = parsed();
      const node = nodeAt(document.contents, path, part === 'key');
      const [from, to] = node?.range ?? [0, 0];
      return placeAt(lines, typeof part === 'number' ? nthOpening(text, from, to, part) : from);
    },
  };
}

/** The nearest that is there: what is missing is told at what it is missing from. */
function nodeAt(root: Node | null, path: PlanPath, key: boolean): Node | null {
  let at = root;
  for (const [i, part] of path.entries()) {
    if (isMap(at)) {
      const pair = at.items.find((item) => isScalar(item.key) && String(item.key.value) === String(part));
      if (pair === undefined) return at;
      const value = pair.value as Node | null;
      // A value that was left out has no place worth showing.
      const shown =
        value === null || (isScalar(value) && value.value === null && value.source === '') ? pair.key : value;
      at = (key && i === path.length - 1 ? pair.key : shown) as Node;
    } else if (isCollection(at)) {
      at = (at.items[Number(part)] as Node | undefined) ?? at;
    } else return at;
  }
  return at;
}

function nthOpening(text: string, from: number, to: number, nth: number): number {
  let at = text.indexOf('${{', from);
  for (let i = 0; i < nth && at >= 0; i += 1) at = text.indexOf('${{', at + 1);
  return at < 0 || at > to ? from : at;
}

function placeAt(lines: LineCounter, offset: number): Place {
  const { line, col } = lines.linePos(offset);
  return { line: Math.max(line, 1), column: Math.max(col, 1) };
}
