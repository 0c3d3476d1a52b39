// A plan in TypeScript: a value with tasks, inputs and defaults that a module exports.

import type { Json } from '../../model/core/json.ts';
import type { CoAuthorStyle, CommitStyle } from '../../model/land/landing.ts';
import { defined } from '../../std/defined.ts';
import { type PlanRead, planFrom } from '../file/plan-from.ts';
import type { Place, Source } from '../file/problem.ts';
import { type BudgetOptions, type CommonOptions, checksFile, commonFile } from './typed-common.ts';
import { createRef, expressionOf, type Holds, type Meaning, type Ref, type Sayable, sourceOf } from './typed-refs.ts';
import { placeOfCall, type Task } from './typed-task.ts';

/** The same symbol in every copy of this module. */
const mark = Symbol.for('signalbox.plan');

export interface TypedPlan {
  readonly name: string;
}

interface Marked {
  readonly file: object;
  readonly place: Place;
  readonly places: ReadonlyMap<string, Place>;
}

export interface PlanOptions {
  readonly name: string;
  readonly description?: string;
  readonly inputs?: readonly Input<unknown>[];
  readonly defaults?: CommonOptions & { readonly env?: Readonly<Record<string, Sayable>> };
  readonly limits?: LimitOptions;
  /** How work is integrated, and where it lands. */
  readonly landing?: {
    readonly checks?: CommonOptions['checks'];
    readonly into?: string;
    readonly checkout?: boolean;
    readonly commits?: CommitStyle;
    readonly coAuthor?: CoAuthorStyle;
  };
  readonly interlock?: 'open' | 'strict';
  readonly phases?: readonly (string | PhaseOptions)[];
  readonly tasks: readonly Task[];
}

export interface LimitOptions {
  readonly maxParallel?: number;
  readonly perHarness?: Readonly<Record<string, number>>;
  /** For all tasks together. */
  readonly budget?: BudgetOptions;
  /** A person must confirm a run that could spend more. */
  readonly confirmAbove?: BudgetOptions;
  /** Limits on agents spawned by agents. */
  readonly agents?: ChildrenOptions;
}

export interface ChildrenOptions {
  readonly depth?: number;
  readonly children?: number;
  readonly inAll?: number;
  readonly spawnsPerMinute?: number;
  readonly messagesPerMinute?: number;
  readonly mailbox?: number;
  readonly mailboxCharacters?: number;
  readonly hops?: number;
  readonly teams?: number;
  readonly teamItems?: number;
  readonly teamCharacters?: number;
  readonly idleSeconds?: number;
  readonly shutdownSeconds?: number;
}

export interface PhaseOptions {
  readonly name: string;
  readonly exit?: Holds | Meaning<unknown>;
  readonly throwAway?: boolean;
  readonly accounts?: boolean;
}

export function plan(options: PlanOptions): TypedPlan {
  const { name, description, defaults, limits, landing, interlock, phases, tasks } = options;
  const place = placeOfCall();
  const env = defaults?.env && Object.entries(defaults.env).map(([key, value]) => [key, sourceOf(value)]);
  const file = defined({
    name,
    description,
    inputs: options.inputs && Object.fromEntries(options.inputs.map(inputFile)),
    defaults: defaults && defined({ ...commonFile(defaults), env: env && Object.fromEntries(env) }),
    limits: limits && limitsFile(limits),
    landing: landing && landingFile(landing),
    interlock,
    phases: phases?.map((phase) => (typeof phase === 'string' ? phase : phaseFile(phase))),
    tasks: Object.fromEntries(tasks.map((task) => [task.name, task.said])),
  });
  const twice = tasks.find((task, i) => tasks.findIndex((other) => other.name === task.name) < i);
  if (twice !== undefined) throw new Error(`two tasks are called "${twice.name}"`);
  const marked: Marked = { file, place, places: new Map(tasks.map((task) => [task.name, task.place])) };
  return Object.freeze({ name, [mark]: marked });
}

function limitsFile({ maxParallel, perHarness, budget, confirmAbove, agents }: LimitOptions): object {
  return defined({
    'max-parallel': maxParallel,
    'per-harness': perHarness,
    budget,
    'confirm-above': confirmAbove,
    agents: agents && childrenFileOf(agents),
  });
}

function childrenFileOf({ depth, children, mailbox, hops, teams, ...more }: ChildrenOptions): object {
  return defined({
    depth,
    children,
    'in-all': more.inAll,
    'spawns-per-minute': more.spawnsPerMinute,
    'messages-per-minute': more.messagesPerMinute,
    mailbox,
    'mailbox-characters': more.mailboxCharacters,
    hops,
    teams,
    'team-items': more.teamItems,
    'team-characters': more.teamCharacters,
    'idle-seconds': more.idleSeconds,
    'shutdown-seconds': more.shutdownSeconds,
  });
}

function phaseFile({ name, exit, throwAway, accounts }: PhaseOptions): object {
  return defined({ name, exit: exit && expressionOf(exit), 'throw-away': throwAway, accounts });
}

declare const isInput: unique symbol;

/** A value given when the plan is run: a reference that the plan also lists. */
export type Input<T> = Ref<T> & { readonly [isInput]: true };

interface InputTypes {
  readonly string: string;
  readonly number: number;
  readonly boolean: boolean;
  readonly json: Json;
}

/** Kept apart, because references hold only their path. */
const inputs = new WeakMap<object, { readonly name: string; readonly said: object }>();

export function input<Type extends keyof InputTypes = 'string', T = InputTypes[Type]>(
  name: string,
  options: { readonly type?: Type; readonly default?: T; readonly description?: string } = {},
): Input<T> {
  const ref = createRef<T>(['inputs', name]);
  inputs.set(ref, { name, said: defined({ ...options }) });
  return ref as Input<T>;
}

function inputFile(given: object): [string, object] {
  const found = inputs.get(given);
  if (found === undefined) throw new Error('an input of a plan is made by input(…)');
  return [found.name, found.said];
}

/** null: the value is not a plan. */
export function readTypedPlan(value: unknown, file: string): PlanRead | null {
  const marked = typeof value === 'object' && value !== null ? (value as { [mark]?: Marked })[mark] : undefined;
  if (marked === undefined) return null;
  const source: Source = {
    file,
    place: ([first, name]) => (first === 'tasks' ? marked.places.get(String(name)) : undefined) ?? marked.place,
  };
  return planFrom(marked.file, source);
}

function landingFile({ checks, coAuthor, ...landing }: NonNullable<PlanOptions['landing']>) {
  return defined({ ...landing, 'co-author': coAuthor, checks: checksFile(checks) });
}
