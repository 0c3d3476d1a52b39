// Gates of a plan in TypeScript. The form gives references to the gate's output their type.

import { defined } from '../../std/defined.ts';
import type { TaskFile } from '../file/plan-file.ts';
import type { Duration } from './typed-common.ts';
import { isRef, type Meaning, refPath, sourceOf, type Words } from './typed-refs.ts';
import { type AnyTask, givenOf, placeOfCall, type Task, type Told, type WhenOption, whenFile } from './typed-task.ts';

interface FieldWords {
  readonly label?: string;
  /** false: it may be left empty. */
  readonly required?: boolean;
}

export type FieldOptions = FieldWords &
  (
    | { readonly type?: 'text'; readonly default?: string }
    | { readonly type: 'number'; readonly default?: number }
    | { readonly type: 'boolean'; readonly default?: boolean }
    | { readonly type: 'choice'; readonly options: readonly string[]; readonly default?: string }
  );

type FormOptions = Readonly<Record<string, FieldOptions>>;

type FieldValue<Field> = Field extends { readonly type: 'number' }
  ? number
  : Field extends { readonly type: 'boolean' }
    ? boolean
    : Field extends { readonly type: 'choice'; readonly options: readonly (infer Option)[] }
      ? Option
      : string;

/** An empty field is null. */
type Filled<Form> = {
  readonly [Name in keyof Form]: Form[Name] extends { readonly required: false }
    ? Form[Name] extends { readonly default: unknown }
      ? FieldValue<Form[Name]>
      : FieldValue<Form[Name]> | null
    : FieldValue<Form[Name]>;
};

export interface GateOptions<Needs extends readonly AnyTask[], Form extends FormOptions> {
  readonly description?: string;
  readonly needs?: Needs;
  readonly when?: WhenOption<Needs, never>;
  readonly phase?: string;
  readonly onFailure?: 'skip' | 'continue' | 'stop';
  /** The question. */
  readonly message: Told<string | Words, Needs, never>;
  /** What is shown with it: the integrated changes, the cost, or outputs of its needs. */
  readonly show?: Told<readonly ('diff' | 'cost' | Meaning<unknown>)[], Needs, never>;
  readonly form?: Form;
  /** Left out: it waits for ever. */
  readonly timeout?: Duration;
  readonly onTimeout?: 'approve' | 'reject';
  /** Left out: everyone who may use this Signalbox. */
  readonly who?: string | readonly string[];
}

export function gate<
  const Name extends string,
  const Needs extends readonly AnyTask[] = readonly [],
  const Form extends FormOptions = Readonly<Record<never, never>>,
>(name: Name, options: GateOptions<Needs, Form>): Task<Name, [keyof Form] extends [never] ? never : Filled<Form>> {
  const place = placeOfCall();
  const given = givenOf(name, options.needs);
  const told = <T>(value: T | ((given: never) => T) | undefined): T | undefined =>
    typeof value === 'function' ? (value as (given: object) => T)(given) : value;
  const message = told<string | Words>(options.message);
  const show = told<readonly ('diff' | 'cost' | Meaning<unknown>)[]>(options.show);
  const said = defined({
    description: options.description,
    needs: options.needs?.map((need) => need.name),
    when: whenFile(options.when as WhenOption<readonly AnyTask[], unknown> | undefined, given),
    phase: options.phase,
    'on-failure': options.onFailure,
    gate: defined({
      message: message === undefined ? undefined : sourceOf(message),
      show: show?.map((each) => (isRef(each) ? refPath(each) : each)),
      form: options.form,
      timeout: options.timeout,
      'on-timeout': options.onTimeout,
      who: options.who,
    }),
  });
  return { name, said: said as TaskFile, place };
}
