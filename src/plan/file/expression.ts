// Parses what is between `${{` and `}}`: a path, and in conditions `==`, `!=`, `&&`, `||`, parentheses and literals. Nothing
// more, on purpose: computing belongs in a task of its own or in TypeScript.

import type { Condition } from '../../model/inputs/condition.ts';
import type { Ref, Text } from '../../model/inputs/reference.ts';
import type { Flaw } from './problem.ts';

export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  /** `nth`: which `${{` of the text it is about. */
  | { readonly ok: false; readonly nth: number; readonly flaw: Flaw };

const open = '${{';
const close = '}}';
const expressionMax = 4_000;

/** `$${{` stands for `${{` itself. */
export function parseText(text: string): Parsed<Text> {
  const parts: (string | Ref)[] = [];
  let literal = '';
  let from = 0;
  for (let nth = 0; ; nth += 1) {
    const at = text.indexOf(open, from);
    if (at < 0) break;
    const before = text.slice(from, at);
    if (before.endsWith('$')) {
      literal += `${before.slice(0, -1)}${open}`;
      from = at + open.length;
      continue;
    }
    const end = text.indexOf(close, at);
    if (end < 0) return { ok: false, nth, flaw: unclosed };
    const parsed = parsePath(text.slice(at + open.length, end));
    if (!parsed.ok) return { ...parsed, nth };
    parts.push(literal + before, parsed.value);
    literal = '';
    from = end + close.length;
  }
  parts.push(literal + text.slice(from));
  const kept = parts.filter((part) => part !== '');
  const [only = ''] = kept;
  return { ok: true, value: kept.length < 2 && typeof only === 'string' ? only : kept };
}

/** The text with its references as a plan file writes them. */
export function textSource(text: Text): string {
  if (typeof text === 'string') return text;
  return text.map((part) => (typeof part === 'string' ? part : `${open} ${pathText(part.ref)} ${close}`)).join('');
}

/** Which `${{` of its source the part at `index` is. */
export function nthOf(text: Text, index: number): number {
  if (typeof text === 'string') return 0;
  const before = text.slice(0, index).map((part) => (typeof part === 'string' ? part.split(open).length - 1 : 1));
  return before.reduce((sum, each) => sum + each, 0);
}

/** With or without `${{ }}` around it. */
export function parseCondition(text: string): Parsed<Condition> {
  const bare = text.trim();
  const inner = bare.startsWith(open) && bare.endsWith(close) ? bare.slice(open.length, -close.length) : bare;
  if (inner.includes(open)) return fail('a condition is one expression', `write it as ${open} a == b && c ${close}`);
  const tokens = tokensOf(inner);
  return tokens.ok ? conditionOf(tokens.value) : tokens;
}

/** The path, if the whole text is one reference; null = it is something else. */
export function parseWholePath(text: string): Parsed<Ref> | null {
  const bare = text.trim();
  if (!bare.startsWith(open) || bare.indexOf(close) !== bare.length - close.length) return null;
  return parsePath(bare.slice(open.length, -close.length));
}

export function pathText(path: readonly string[]): string {
  return path.reduce((text, part, i) => {
    if (i === 0) return part;
    return /^[\w-]+$/.test(part) ? `${text}.${part}` : `${text}['${part.replaceAll("'", "''")}']`;
  }, '');
}

const unclosed: Flaw = { message: `"${open}" has no "${close}"`, suggestion: `write $${open} for the characters` };

function fail(message: string, suggestion: string | null = null): Parsed<never> {
  return { ok: false, nth: 0, flaw: { message, suggestion } };
}

function parsePath(inner: string): Parsed<Ref> {
  const tokens = tokensOf(inner);
  if (!tokens.ok) return tokens;
  const [first, second] = tokens.value;
  if (first?.kind === 'path' && second === undefined) return { ok: true, value: { ref: first.path } };
  if (first === undefined) return fail(`there is nothing between "${open}" and "${close}"`, examples);
  return fail(`"${inner.trim()}" is not a path`, `${examples}; what computes belongs in a task with "run"`);
}

const examples = `write a path, as in ${open} tasks.find.output.title ${close}`;

type Literal = string | number | boolean | null;
type Token =
  | { readonly kind: 'path'; readonly path: readonly string[] }
  | { readonly kind: 'literal'; readonly value: Literal }
  | { readonly kind: 'sign'; readonly sign: string };

const step = String.raw`\.[\w-]+|\[\s*\d+\s*\]|\[\s*'(?:[^']|'')*'\s*\]|\[\s*"[^"]*"\s*\]`;
const tokenPattern = new RegExp(
  String.raw`\s*(?:(?<sign>==|!=|&&|\|\||[()])|(?<single>'(?:[^']|'')*')|(?<double>"[^"]*")` +
    String.raw`|(?<number>-?\d+(?:\.\d+)?)(?![\w.-])|(?<path>[A-Za-z_][\w-]*(?:${step})*))`,
  'y',
);
const stepPattern = new RegExp(step, 'g');
const words: Readonly<Record<string, Literal>> = { true: true, false: false, null: null };

function tokensOf(text: string): Parsed<Token[]> {
  if (text.length > expressionMax) return fail(`an expression has at most ${expressionMax} characters`);
  const tokens: Token[] = [];
  const end = text.trimEnd().length;
  tokenPattern.lastIndex = 0;
  for (let at = 0; at < end; at = tokenPattern.lastIndex) {
    const found = tokenPattern.exec(text)?.groups;
    if (found === undefined) return fail(...stranger(text.slice(at).trim()));
    tokens.push(tokenOf(found));
  }
  return { ok: true, value: tokens };
}

function tokenOf(found: Readonly<Record<string, string | undefined>>): Token {
  const { sign, single, double, number, path = '' } = found as Partial<Record<string, string>>;
  if (sign !== undefined) return { kind: 'sign', sign };
  if (single !== undefined) return { kind: 'literal', value: single.slice(1, -1).replaceAll("''", "'") };
  if (double !== undefined) return { kind: 'literal', value: double.slice(1, -1) };
  if (number !== undefined) return { kind: 'literal', value: Number(number) };
  if (Object.hasOwn(words, path)) return { kind: 'literal', value: words[path] ?? null };
  const [root = ''] = /^[\w-]+/.exec(path) ?? [];
  return { kind: 'path', path: [root, ...(path.slice(root.length).match(stepPattern) ?? []).map(stepOf)] };
}

function stepOf(text: string): string {
  if (text.startsWith('.')) return text.slice(1);
  const inner = text.slice(1, -1).trim();
  return /^\d/.test(inner) ? inner : inner.slice(1, -1).replaceAll("''", "'");
}

function stranger(rest: string): [message: string, suggestion: string] {
  const known = 'there are ==, !=, &&, ||, parentheses, paths and literals; anything more belongs in a task with "run"';
  if (/^['"]/.test(rest)) return ['a text is not closed', 'put a quote at its end'];
  if (rest.startsWith('!')) return ['"!" is not known here', 'write "== false"'];
  if (rest.startsWith('=')) return ['"=" is not known here', 'write "=="'];
  const [sign = ''] = /^(?:[\w-]+|[^\w\s'"]{1,3})/.exec(rest) ?? [rest.slice(0, 1)];
  return [`"${sign}" is not known here`, known];
}

const functions = "there are no functions; results are asked for, as in tasks.build.result == 'succeeded'";

/** `||` binds weakest, then `&&`, then comparisons. */
const levels = [['||'], ['&&'], ['==', '!=']] as const;

function conditionOf(tokens: readonly Token[]): Parsed<Condition> {
  let at = 0;
  const signAt = (place: number): string | null => {
    const token = tokens[place];
    return token?.kind === 'sign' ? token.sign : null;
  };
  const level = (depth: number): Condition | null => {
    const signs: readonly string[] | undefined = levels[depth];
    if (signs === undefined) return single();
    let left = level(depth + 1);
    for (let sign = signAt(at); left !== null && sign !== null && signs.includes(sign); sign = signAt(at)) {
      at += 1;
      const right = level(depth + 1);
      left = right === null ? null : { op: sign as '==' | '!=' | '&&' | '||', left, right };
    }
    return left;
  };
  const single = (): Condition | null => {
    const token = tokens[at];
    at += 1;
    if (token?.kind === 'path') return { op: 'ref', ref: token.path };
    if (token?.kind === 'literal') return { op: 'value', value: token.value };
    if (token?.sign !== '(') return null;
    const inner = level(0);
    if (signAt(at) !== ')') return null;
    at += 1;
    return inner;
  };
  const condition = level(0);
  const called = tokens.find((token, i) => token.kind === 'path' && signAt(i + 1) === '(');
  if (called?.kind === 'path') return fail(`there is no "${called.path.join('.')}(…)" here`, functions);
  if (tokens.length === 0) return fail('the condition is empty', "write one, as in tasks.find.result == 'succeeded'");
  if (condition !== null && at === tokens.length) return { ok: true, value: condition };
  const count = (sign: string): number => tokens.filter((token) => token.kind === 'sign' && token.sign === sign).length;
  if (count('(') !== count(')')) return fail('the condition has a parenthesis without its other half');
  const where = at > tokens.length ? 'it ends too early' : 'two things stand side by side';
  return fail(`the condition cannot be read: ${where}`, 'between two values stands ==, !=, && or ||');
}
