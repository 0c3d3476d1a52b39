// Tasks of a plan in TypeScript. The zod schema of a task's output gives references to it their type. A task becomes the value
// that a plan file would have, so that there is one way to read, check and compile a plan.

import { z } from 'zod';
import { defined } from '../../std/defined.ts';
import type { results } from '../file/output-schemas.ts';
import type { TaskFile } from '../file/plan-file.ts';
import type { Place } from '../file/problem.ts';
import { type CommonOptions, commonFile, type TaskOnlyOptions, taskOnlyFile } from './typed-common.ts';
import { kindOf } from './typed-kind.ts';
import {
  createRef,
  escaped,
  expressionOf,
  type Holds,
  isRef,
  type Meaning,
  type Ref,
  refText,
  type Sayable,
  sourceOf,
  type Words,
} from './typed-refs.ts';

/** `Output`: the type of its output; never = it has none. */
export interface Task<Name extends string = string, Output = unknown> {
  readonly name: Name;
  readonly output?: Meaning<Output>;
  readonly said: TaskFile;
  readonly place: Place;
}

export type AnyTask = Task<string, unknown>;

type Result = (typeof results)[number];

/** How a task ended; of a matrix also how many of its tasks succeeded, and how many there are. */
interface Ended {
  readonly result: Ref<Result>;
  readonly succeeded: Ref<number>;
  readonly total: Ref<number>;
}

type Needed<T> =
  T extends Task<string, infer Output>
    ? [Output] extends [never]
      ? Ended
      : Ended & {
          readonly output: Ref<Output> /** Its id; of a matrix those of its tasks. */;
          readonly artifact: Ref<string>;
        }
    : never;

/** By need, how it must have ended. */
type EnoughOf<Needs extends readonly AnyTask[]> = {
  readonly [Name in Needs[number]['name']]?: 'at-least-1' | 'all' | 'any-outcome';
};

/** What a task may refer to: its needs by name, the run and itself. */
export type Given<Needs extends readonly AnyTask[], Item = never> = {
  readonly [T in Needs[number] as T['name']]: Needed<T>;
} & {
  readonly run: { readonly id: Ref<string>; readonly name: Ref<string> };
  readonly task: { readonly name: Ref<string>; readonly attempt: Ref<number> };
} & ([Item] extends [never] ? unknown : { readonly matrix: Ref<Item> });

export type Told<Value, Needs extends readonly AnyTask[], Item> = Value | ((given: Given<Needs, Item>) => Value);

export type WhenOption<Needs extends readonly AnyTask[], Item> =
  | boolean
  | EnoughOf<Needs>
  | ((given: Given<Needs, Item>) => Holds | Meaning<unknown>);

/** A glob or a list of them. */
export type PathOption = string | Words | readonly (string | Words)[];

/** TypeScript infers from left to right: options after `needs` and `matrix` see their types. */
export interface TaskOptions<Needs extends readonly AnyTask[], Item, Schema extends z.ZodType>
  extends CommonOptions,
    TaskOnlyOptions {
  readonly needs?: Needs;
  /** One task for each item of a list, or of a list in the output of a need. */
  readonly matrix?: readonly Item[] | Meaning<readonly Item[]> | ((given: Given<Needs>) => Meaning<readonly Item[]>);
  readonly when?: WhenOption<Needs, Item>;
  readonly prompt?: Told<string | Words, Needs, Item>;
  /** A shell command without references, or a program and its arguments. */
  readonly run?: Told<string | readonly Sayable[], Needs, Item>;
  readonly env?: Told<Readonly<Record<string, Sayable>>, Needs, Item>;
  readonly output?: Schema;
  readonly example?: z.output<Schema>;
  readonly reads?: Told<PathOption, Needs, Item>;
  readonly writes?: Told<PathOption, Needs, Item>;
  readonly settings?: Readonly<Record<string, string | number | boolean>>;
}

type OutputOf<Schema extends z.ZodType, Item> = [Item] extends [never] ? z.output<Schema> : z.output<Schema>[];

export function task<
  const Name extends string,
  const Needs extends readonly AnyTask[] = readonly [],
  Item = never,
  Schema extends z.ZodType = z.ZodNever,
>(
  name: Name,
  options: TaskOptions<Needs, Item, Schema>,
): Task<Name, [z.output<Schema>] extends [never] ? never : OutputOf<Schema, Item>> {
  const place = placeOfCall();
  const given = givenOf(name, options.needs);
  return { name, said: fileOf(options as TaskOptions<readonly AnyTask[], unknown, z.ZodType>, given), place };
}

/** The argument of functions in its options. */
export function givenOf(name: string, needs: readonly AnyTask[] = []): object {
  if (Object.hasOwn(always, name)) throw new Error(`a task cannot be called "${name}": that means something else`);
  return { ...always, ...Object.fromEntries(needs.map((need) => [need.name, refsOf(need.name)])) };
}

const always = {
  run: createRef<object>(['run']),
  task: createRef<object>(['task']),
  matrix: createRef<unknown>(['matrix']),
};

const refsOf = (name: string): Ref<object> => createRef<object>(['tasks', name]);

export function whenFile(when: WhenOption<readonly AnyTask[], unknown> | undefined, given: object): TaskFile['when'] {
  if (typeof when !== 'function') return when as TaskFile['when'];
  return expressionOf((when as (given: object) => Holds | Meaning<unknown>)(given));
}

function fileOf(said: TaskOptions<readonly AnyTask[], unknown, z.ZodType>, given: object): TaskFile {
  const told = <T>(value: T | ((given: never) => T) | undefined): T | undefined =>
    typeof value === 'function' ? (value as (given: object) => T)(given) : value;
  const { prompt, run, env, matrix, when } = said;
  const words = told<string | Words>(prompt);
  const command = told<string | readonly Sayable[]>(run);
  const variables = told<Readonly<Record<string, Sayable>>>(env);
  const list = told<readonly unknown[] | Meaning<readonly unknown[]>>(matrix);
  return defined({
    ...commonFile(said),
    ...taskOnlyFile(said),
    prompt: words === undefined ? undefined : sourceOf(words),
    run: command === undefined || typeof command === 'string' ? command : command.map(sourceOf),
    needs: said.needs?.map(({ name }) => name),
    when: whenFile(when, given),
    matrix: list === undefined ? undefined : isRef(list) ? refText(list) : (escapedItems(list) as unknown[]),
    env: variables && Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, sourceOf(value)])),
    output: said.output && (kindOf(said.output) ?? schemaOf(said.output)),
    example: said.example,
    reads: pathsFile(told<PathOption>(said.reads)),
    writes: pathsFile(told<PathOption>(said.writes)),
    settings: said.settings,
  }) as TaskFile;
}

function pathsFile(given: PathOption | undefined): string | string[] | undefined {
  if (given === undefined) return undefined;
  return Array.isArray(given) ? given.map(sourceOf) : sourceOf(given as string | Words);
}

/** Without `$schema`, which is always the same. */
function schemaOf(schema: z.ZodType): Record<string, unknown> {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'output' }) as Record<string, unknown>;
  return rest;
}

function escapedItems(value: unknown): unknown {
  if (typeof value === 'string') return escaped(value);
  if (Array.isArray(value)) return value.map(escapedItems);
  if (isRef(value)) return refText(value);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, escapedItems(each)]));
}

/** The place in the plan's module from which our caller was called. */
export function placeOfCall(): Place {
  const frames = (new Error().stack ?? '').split('\n').slice(3);
  const [, line, column] = /:(\d+):(\d+)\)?$/.exec(frames[0] ?? '') ?? [];
  return { line: Number(line ?? 1), column: Number(column ?? 1) };
}
