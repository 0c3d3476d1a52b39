// References of a plan in TypeScript: proxies with the type of their value that hold only a path. They have no value before the
// run, and throw if they are used as a text.

import { pathText } from '../file/expression.ts';

declare const meaning: unique symbol;
const path: unique symbol = Symbol('path');

/** Stands for a `T` that is known only in the run. */
export interface Meaning<T> {
  readonly [meaning]: T;
}

/** The same, with references to the parts of the value. */
export type Ref<T> = Meaning<T> & Inside<NonNullable<T>>;

type Inside<T> = T extends string
  ? { readonly length: Ref<number> }
  : T extends number | boolean
    ? unknown
    : T extends readonly (infer Item)[]
      ? List<Item>
      : T extends object
        ? { readonly [Key in keyof T]-?: Ref<T[Key]> }
        : unknown;

/** The first ten are listed: with `noUncheckedIndexedAccess` any other index may be undefined. */
type List<Item> = { readonly length: Ref<number>; readonly [index: number]: Ref<Item> } & {
  readonly [Index in 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9]: Ref<Item>;
};

export function createRef<T>(steps: readonly string[]): Ref<T> {
  const known = { [path]: steps };
  return new Proxy(known, {
    get(target, key) {
      if (key === path) return target[path];
      if (typeof key === 'symbol' || misuses.has(key)) throw misuse(steps);
      return createRef([...steps, key]);
    },
    has: (_, key) => key === path,
  }) as unknown as Ref<T>;
}

/** The members that JavaScript reads to convert a value to a text or a number. */
const misuses = new Set(['toString', 'toJSON', 'valueOf']);

function misuse(steps: readonly string[]): Error {
  const said = pathText(steps);
  return new Error(`${said} has no value before the run: put it into text\`…\`, or hand it on as it is`);
}

export function isRef(value: unknown): value is Meaning<unknown> {
  return typeof value === 'object' && value !== null && path in value;
}

/** As a plan file writes it: `${{ tasks.find.output }}`. */
export function refText(ref: Meaning<unknown>): string {
  return `\${{ ${refPath(ref)} }}`;
}

export function refPath(ref: Meaning<unknown>): string {
  return pathText((ref as unknown as { readonly [path]: readonly string[] })[path]);
}

/** A text with references in it. */
export interface Words {
  readonly source: string;
}

export type Sayable = string | number | boolean | Meaning<unknown> | Words;

/** text`Fix ${find.output.title}`: literal parts stay literal, whatever characters they have. */
export function text(literals: TemplateStringsArray, ...values: readonly Sayable[]): Words {
  let source = escaped(literals[0] ?? '');
  for (const [i, value] of values.entries()) {
    if (isRef(value) && source.endsWith('$')) throw new Error('a reference cannot stand right behind a "$"');
    source += sourceOf(value) + escaped(literals[i + 1] ?? '');
  }
  return { source };
}

/** The text as a plan file writes it. */
export function sourceOf(value: Sayable): string {
  if (isRef(value)) return refText(value);
  return typeof value === 'object' ? (value as Words).source : escaped(String(value));
}

export function escaped(literal: string): string {
  // A function, because `$$` has a special meaning in a replacement text.
  return literal.replaceAll('${{', () => '$${{');
}

/** A condition, as a plan file writes it. */
export interface Holds {
  readonly expression: string;
}

type Single = string | number | boolean | null;

export function eq<T>(left: Meaning<T>, right: (T & Single) | Meaning<T>): Holds {
  return { expression: `${refPath(left)} == ${operand(right)}` };
}

export function ne<T>(left: Meaning<T>, right: (T & Single) | Meaning<T>): Holds {
  return { expression: `${refPath(left)} != ${operand(right)}` };
}

export function and(...all: readonly (Holds | Meaning<unknown>)[]): Holds {
  return { expression: all.map((each) => `(${expressionOf(each)})`).join(' && ') };
}

export function or(...any: readonly (Holds | Meaning<unknown>)[]): Holds {
  return { expression: any.map((each) => `(${expressionOf(each)})`).join(' || ') };
}

export function expressionOf(condition: Holds | Meaning<unknown>): string {
  return isRef(condition) ? refPath(condition) : (condition as Holds).expression;
}

function operand(value: Single | Meaning<unknown>): string {
  if (isRef(value)) return refPath(value);
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value as Single);
}
