// Parses the daemon's answers in the CLI. A small subset of zod with the same names: loading zod itself would take longer
// than all the rest of `ps`. Requests need good error messages and are parsed by zod, in the daemon.

export interface Shape<T> {
  /** Throws a Mismatch. */
  parse(value: unknown): T;
  safeParse(value: unknown): Parsed<T>;
  nullable(): Shape<T | null>;
  /** The default if the daemon left it out. */
  default(value: T): Shape<T>;
  /** The path to the value; after an error, the path to the wrong part. */
  read(value: unknown, at: (string | number)[]): T;
}

export type Parsed<T> =
  | { readonly success: true; readonly data: T }
  | { readonly success: false; readonly error: Mismatch };

type Output<S> = S extends Shape<infer T> ? T : never;
type Fields = Readonly<Record<string, Shape<unknown>>>;
type Values<F extends Fields> = { [K in keyof F]: Output<F[K]> };

export class Mismatch extends Error {
  override readonly name = 'Mismatch';
  readonly path: readonly (string | number)[];

  constructor(wanted: string, path: readonly (string | number)[]) {
    super(`not ${wanted}`);
    this.path = path;
  }
}

export interface ObjectShape<F extends Fields> extends Shape<Values<F>> {
  readonly fields: F;
  extend<G extends Fields>(more: G): ObjectShape<Omit<F, keyof G> & G>;
}

function shape<T>(read: Shape<T>['read']): Shape<T> {
  return {
    read,
    parse: (value) => read(value, []),
    safeParse(value) {
      try {
        return { success: true, data: read(value, []) };
      } catch (error) {
        if (error instanceof Mismatch) return { success: false, error };
        throw error;
      }
    },
    nullable: () => shape((value, at) => (value === null ? null : read(value, at))),
    default: (instead) => shape((value, at) => (value === undefined ? instead : read(value, at))),
  };
}

const only = <T>(wanted: string, is: (value: unknown) => value is T): Shape<T> =>
  shape((value, at) => {
    if (is(value)) return value;
    throw new Mismatch(wanted, at);
  });

export const string = (): Shape<string> => only('a text', (value) => typeof value === 'string');
export const number = (): Shape<number> => only('a number', (value): value is number => Number.isFinite(value));
export const boolean = (): Shape<boolean> => only('true or false', (value) => typeof value === 'boolean');
export const unknown = (): Shape<unknown> => shape((value) => value);

export const literal = <const T extends string | boolean>(wanted: T): Shape<T> =>
  only(JSON.stringify(wanted), (value): value is T => value === wanted);

const enumOf = <const T extends readonly string[]>(words: T): Shape<T[number]> =>
  only(`one of ${words.join(', ')}`, (value): value is T[number] => (words as readonly unknown[]).includes(value));

export const array = <T>(each: Shape<T>): Shape<T[]> =>
  shape((value, at) => {
    if (!Array.isArray(value)) throw new Mismatch('a list', at);
    return value.map((item: unknown, index) => readPart(each, item, index, at));
  });

/** Keys are strings. */
export const record = <T>(_keys: Shape<string>, each: Shape<T>): Shape<Record<string, T>> =>
  shape((value, at) =>
    Object.fromEntries(Object.entries(entriesOf(value, at)).map(([key, item]) => [key, readPart(each, item, key, at)])),
  );

/** Unknown keys are dropped. */
export function object<F extends Fields>(fields: F): ObjectShape<F> {
  const named = Object.entries(fields);
  const read = (value: unknown, at: (string | number)[]): Values<F> => {
    const given = entriesOf(value, at);
    const out: Record<string, unknown> = {};
    for (const [key, part] of named) out[key] = readPart(part, given[key], key, at);
    return out as Values<F>;
  };
  return { ...shape(read), fields, extend: (more) => object({ ...fields, ...more }) };
}

/** Chooses the object by the value of `key`. */
export const discriminatedUnion = <const S extends readonly ObjectShape<Fields>[]>(
  key: string,
  options: S,
): Shape<Output<S[number]>> =>
  shape((value, at) => {
    const kind = entriesOf(value, at)[key];
    const option = options.find(({ fields }) => fields[key]?.safeParse(kind).success === true);
    if (option === undefined) throw new Mismatch(`of a known ${key}`, at);
    return option.read(value, at) as Output<S[number]>;
  });

function readPart<T>(part: Shape<T>, value: unknown, key: string | number, at: (string | number)[]): T {
  at.push(key);
  const read = part.read(value, at);
  at.pop();
  return read;
}

function entriesOf(value: unknown, at: readonly (string | number)[]): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Mismatch('an object', at);
  return value as Record<string, unknown>;
}

export type { Output as output };
export { enumOf as enum };
