// The shapes of arguments of a script's step. A reader returns the value, typed, or throws an ArgumentError that says where the
// flaw is and what would be valid. Pure.

export class ArgumentError extends Error {
  override readonly name = 'ArgumentError';
  /** The names of the fields that lead to the flaw, outermost first. */
  readonly path: readonly string[];
  /** Begins with a verb: `takes …`, `has no …`. */
  readonly why: string;

  constructor(why: string, path: readonly string[] = []) {
    super(why);
    this.why = why;
    this.path = path;
  }
}

export type Reader<T> = (value: unknown) => T;
export type Parsed<R> = R extends Reader<infer T> ? T : never;
type Fields = Readonly<Record<string, Reader<unknown>>>;
type Of<R extends Fields> = { readonly [K in keyof R]: Parsed<R[K]> };

export const text: Reader<string> = (value) => {
  if (typeof value !== 'string') throw new ArgumentError('takes a text');
  return value;
};

/** A non-empty text that names something. */
export function named(what: string): Reader<string> {
  return (value) => {
    if (typeof value !== 'string' || value === '') throw new ArgumentError(`takes ${what}`);
    return value;
  };
}

export function whole(what: string, min: number, max: number): Reader<number> {
  return (value) => {
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= min && value <= max) return value;
    throw new ArgumentError(`takes ${what}, a whole number from ${min} to ${max}`);
  };
}

export function above0(what: string, max: number): Reader<number> {
  return (value) => {
    if (typeof value === 'number' && value > 0 && value <= max) return value;
    throw new ArgumentError(`takes ${what}, a number above 0 and up to ${max}`);
  };
}

export const yes: Reader<true> = (value) => {
  if (value !== true) throw new ArgumentError('takes true');
  return true;
};

export const flag: Reader<boolean> = (value) => {
  if (typeof value !== 'boolean') throw new ArgumentError('takes true or false');
  return value;
};

export const anything: Reader<unknown> = (value) => value;

export const object: Reader<Readonly<Record<string, unknown>>> = (value) => {
  if (!isObject(value)) throw new ArgumentError('takes an object');
  return value;
};

export function oneOf<const T extends readonly (string | number | boolean | null)[]>(...choices: T): Reader<T[number]> {
  return (value) => {
    const found = choices.find((choice) => choice === value);
    if (found === undefined)
      throw new ArgumentError(`takes one of ${choices.map((each) => JSON.stringify(each)).join(', ')}`);
    return found;
  };
}

/** An object with these fields and no others. */
export function record<R extends Fields, O extends Fields = Record<never, never>>(
  required: R,
  optional: O = {} as O,
): Reader<Of<R> & Partial<Of<O>>> {
  return (value) => {
    if (!isObject(value)) throw new ArgumentError(`takes ${recordHint(required, optional)}`);
    const made: Record<string, unknown> = {};
    for (const name of Object.keys(value)) {
      const read = Object.hasOwn(required, name) ? required[name] : Object.hasOwn(optional, name) && optional[name];
      if (!read) throw new ArgumentError(`has no "${name}": it takes ${recordHint(required, optional)}`);
      made[name] = within(name, () => read(value[name]));
    }
    const missing = Object.keys(required).find((name) => !Object.hasOwn(value, name));
    if (missing !== undefined)
      throw new ArgumentError(`lacks "${missing}": it takes ${recordHint(required, optional)}`);
    return made as Of<R> & Partial<Of<O>>;
  };
}

/** The first form that fits. If none does and the last one is an object like the value, that one gives the reason. */
export function forms<const R extends readonly Reader<unknown>[]>(
  hint: string,
  ...readers: R
): Reader<Parsed<R[number]>> {
  return (value) => {
    for (const read of readers) {
      try {
        return read(value) as Parsed<R[number]>;
      } catch (error) {
        if (!(error instanceof ArgumentError)) throw error;
      }
    }
    throw new ArgumentError(`takes ${hint}`);
  };
}

export function turnedInto<A, B>(read: Reader<A>, turn: (value: A) => B): Reader<B> {
  return (value) => turn(read(value));
}

function recordHint(required: Fields, optional: Fields): string {
  const names = [...Object.keys(required), ...Object.keys(optional).map((name) => `${name}?`)];
  return `{${names.join(', ')}}`;
}

function within<T>(name: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof ArgumentError ? new ArgumentError(error.why, [name, ...error.path]) : error;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
