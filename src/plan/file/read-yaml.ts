// Reads a YAML file that people write: a plan, a configuration. YAML is parsed once; the line and column of a node are looked up
// only for a problem that is reported.

import { type Document, isCollection, isMap, isScalar, LineCounter, type Node, parseDocument, visit } from 'yaml';
import type { Place, PlanPath, Problem, Source } from './problem.ts';

export type YamlRead =
  | { readonly value: unknown; readonly source: Source }
  /** All of them are errors. */
  | { readonly problems: readonly Problem[] };

export const fileBytesMax = 2 ** 20;
/** Without a limit on aliases a small file could expand to a very large value. */
const aliasesMax = 100;
const errorsMax = 20;

/** `hints`: what to do about a file that is too long or empty. */
export function readYaml(
  text: string,
  file: string,
  hints: { readonly tooLong: string; readonly empty: string },
): YamlRead {
  const refuse = (message: string, suggestion: string | null = null): YamlRead => ({
    problems: [{ severity: 'error', message, file, line: 1, column: 1, suggestion }],
  });
  if (Buffer.byteLength(text) > fileBytesMax) return refuse('the file is larger than 1 MiB', hints.tooLong);
  const parsed = parse(text);
  const { document, lines } = parsed;
  const syntax = syntaxProblems(document, lines, file);
  if (syntax.length > 0) return { problems: syntax };
  try {
    const value: unknown = document.toJS({ maxAliasCount: aliasesMax });
    return value === null ? refuse('the file is empty', hints.empty) : { value, source: sourceOf(parsed, text, file) };
  } catch (error) {
    // `yaml` resolves aliases in `toJS`. Only then is it worth visiting every node to find the unresolved ones.
    if (!(error instanceof ReferenceError)) throw error;
    const unresolved = unresolvedAliases(document, lines, file);
    if (unresolved.length > 0) return { problems: unresolved };
    return refuse(`the file has more than ${aliasesMax} aliases`, 'repeat the values instead');
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

function syntaxProblems(document: Document, lines: LineCounter, file: string): Problem[] {
  const problems = document.errors.slice(0, errorsMax).map(({ pos: [from], message, code }): Problem => {
    const words = `${message.charAt(0).toLowerCase()}${message.slice(1)}`;
    const suggestion = (words === textEnded ? fixes['TEXT_ENDED'] : fixes[code]) ?? null;
    return { severity: 'error', message: `this is not YAML: ${words}`, file, ...placeAt(lines, from), suggestion };
  });
  // Further errors on the same line are mostly consequences of the first.
  return problems.filter(({ line }, i) => i === 0 || problems[i - 1]?.line !== line);
}

function unresolvedAliases(document: Document, lines: LineCounter, file: string): Problem[] {
  const problems: Problem[] = [];
  visit(document, {
    Alias(_, alias) {
      if (alias.resolve(document) !== undefined) return;
      const message = `there is no anchor "&${alias.source}" before this alias`;
      const place = placeAt(lines, alias.range?.[0] ?? 0);
      problems.push({
        severity: 'error',
        message,
        file,
        ...place,
        suggestion: 'quote a text that begins with "*"',
      });
    },
  });
  return problems;
}

const textEnded = 'unexpected scalar at node end';

const fixes: Readonly<Record<string, string>> = {
  TEXT_ENDED: 'a quoted text ends at the next quote of the same kind: use the other kind inside it',
  MISSING_CHAR: 'something is not closed, or a ":" is missing',
  BAD_SCALAR_START: 'quote the text',
  BAD_DQ_ESCAPE: 'use single quotes: a backslash has no special meaning in them',
  TAB_AS_INDENT: 'indent with spaces',
  NON_STRING_KEY: 'a key must be a single word',
  DUPLICATE_KEY: 'a mapping holds each key once',
  MULTIPLE_DOCS: 'a file holds one document: remove lines of "---" or "..." inside it',
  BLOCK_AS_IMPLICIT_KEY: 'quote a text that contains ": "',
  BAD_INDENT: 'indent the entries of a mapping or list alike',
};

function sourceOf({ document, lines }: ParsedFile, text: string, file: string): Source {
  return {
    file,
    place(path, part) {
      const node = nodeAt(document.contents, path, part === 'key');
      const [from, to] = node?.range ?? [0, 0];
      return placeAt(lines, typeof part === 'number' ? nthOpening(text, from, to, part) : from);
    },
  };
}

/** The node at the path, or the nearest one above it that exists. */
function nodeAt(root: Node | null, path: PlanPath, key: boolean): Node | null {
  let at = root;
  for (const [i, part] of path.entries()) {
    if (isMap(at)) {
      const pair = at.items.find((item) => isScalar(item.key) && String(item.key.value) === String(part));
      if (pair === undefined) return at;
      const value = pair.value as Node | null;
      // An omitted value has no place of its own: report its key.
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
