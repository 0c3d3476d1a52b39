// Reads the front matter of a Markdown file: YAML between two lines of `---`, each field with its place. Pure.

import { isMap, isScalar, LineCounter, parseDocument } from 'yaml';
import type { Problem } from './problem.ts';

export interface Field {
  readonly value: unknown;
  readonly line: number;
  readonly column: number;
}

export interface FrontMatter {
  readonly fields: ReadonlyMap<string, Field>;
  readonly body: string;
  /** The line of the file where the body starts. */
  readonly bodyLine: number;
}

/** A field with free text, and the fields that can follow it. */
export interface ProseField {
  readonly name: string;
  readonly others: readonly string[];
}

export function readFrontMatter(text: string, file: string, prose: ProseField): FrontMatter | Problem[] {
  const plain = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  const [head, yaml, body] = /^---[ \t]*\n(?:([\s\S]*?)\n)?---[ \t]*(?:\n|$)([\s\S]*)$/.exec(plain) ?? [];
  if (head === undefined || body === undefined) return [unframed(plain, file)];
  // Starts where the opening line ends, so that places are those of the file.
  const whole = readYaml(`\n${yaml ?? ''}`, file);
  const bodyLine = plain.slice(0, plain.length - body.length).split('\n').length;
  if (!Array.isArray(whole)) return { fields: whole, body, bodyLine };
  const aside = setAside(`\n${yaml ?? ''}`, prose, whole);
  const rest = aside === null ? whole : readYaml(aside.rest, file);
  if (aside === null || Array.isArray(rest)) return whole;
  return { fields: new Map([...rest, [prose.name, aside.field]]), body, bodyLine };
}

function unframed(plain: string, file: string): Problem {
  if (/^---[ \t]*(\n|$)/.test(plain)) {
    return flaw('the front matter has no end', file, 1, 'close it with a line of "---"');
  }
  const suggestion = 'begin the file with "---", fields such as "name: …", and "---"';
  return flaw('there is no front matter', file, 1, suggestion);
}

function readYaml(text: string, file: string): Map<string, Field> | Problem[] {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const placeOf = (offset: number): { line: number; column: number } => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  if (document.errors.length > 0) {
    return document.errors.map(({ message, pos: [offset] }) => ({
      ...flaw(`the front matter is not YAML: ${message}`, file, 1, null),
      ...placeOf(offset),
    }));
  }
  const map = document.contents;
  if (map === null) return new Map();
  if (!isMap(map)) return [flaw('the front matter has no fields', file, 2, 'write fields such as "name: …"')];
  let values: Readonly<Record<string, unknown>>;
  try {
    values = document.toJS();
  } catch (error) {
    // Aliases are resolved only now: one may be unresolved, or expand to too many values.
    return [flaw(`the front matter is not YAML: ${(error as Error).message}`, file, 1, null)];
  }
  const named = map.items.flatMap(({ key }) => (isScalar(key) ? [key] : []));
  return new Map(
    named.map((key) => {
      const name = String(key.value);
      return [name, { value: values[name], ...placeOf(key.range?.[0] ?? 0) }];
    }),
  );
}

function flaw(message: string, file: string, line: number, suggestion: string | null): Problem {
  return { severity: 'error', message, file, line, column: 1, suggestion };
}

/**
 * Real agent files hold free text that is not YAML: colons, quotations, whole dialogues. If such a field starts as plain text and
 * causes the error, its text up to the next known field is taken literally.
 */
function setAside(
  yaml: string,
  { name, others }: ProseField,
  problems: readonly Problem[],
): { rest: string; field: Field } | null {
  const lines = yaml.split('\n');
  const from = lines.findIndex((line) => line.startsWith(`${name}:`));
  const begun = lines[from]?.slice(name.length + 1).trim() ?? '';
  if (begun === '' || /^["'|>[{&*!]/.test(begun)) return null;
  const after = lines.findIndex((line, i) => i > from && others.some((other) => line.startsWith(`${other}:`)));
  const to = after === -1 ? lines.length : after;
  if (!problems.some(({ line }) => line > from && line <= to)) return null;
  const value = [begun, ...lines.slice(from + 1, to)].join('\n').trim();
  const rest = lines.map((line, i) => (i >= from && i < to ? '' : line)).join('\n');
  return { rest, field: { value, line: from + 1, column: 1 } };
}
