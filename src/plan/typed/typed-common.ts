// The options of a plan in TypeScript that a task and `defaults` share, and those of a task that are taken as they are.

import { defined } from '../../std/defined.ts';
import type { CommonFile, TaskOnlyFile } from '../file/plan-file.ts';
import { commonOptions, type Given, taskOptions } from '../option-names.ts';

/** Amounts as numbers or words. */
export type BudgetOptions =
  | `$${number}`
  | {
      readonly usd?: number | `$${number}`;
      readonly tokens?: number | `${number}${'k' | 'M'}`;
      readonly turns?: number;
      readonly time?: Duration;
      readonly agents?: number;
    };

/** Seconds, minutes, hours or days. */
export type Duration = `${number}${'s' | 'm' | 'h' | 'd'}`;

/** The options that a task and `defaults` share, as the schema of plan files has them. */
export interface CommonOptions extends PlainOptions, TypedOptions {}

/** Those that are spelt or typed differently in TypeScript. */
interface TypedOptions {
  readonly retry?: {
    readonly attempts?: number;
    readonly delaySeconds?: number;
    readonly conflicts?: number;
    readonly sendBacks?: number;
    readonly how?: 'fresh' | 'continue' | 'auto';
  };
  /** For all attempts of a task together; of a matrix for each of its tasks. */
  readonly budget?: BudgetOptions;
  /** Of a matrix: for all its tasks together. */
  readonly budgetInAll?: BudgetOptions;
  readonly fallback?: string | readonly string[];
  readonly mcp?: string | readonly string[];
  readonly permissions?: { readonly allow?: string[]; readonly ask?: string[]; readonly deny?: string[] };
  readonly checks?: readonly (string | CheckOptions)[];
}

/** `env` takes references, which differ between a task and a plan: each adds its own. */
type PlainOptions = Omit<Given<CommonFile>, keyof TypedOptions | 'env'>;

export type TaskOnlyOptions = Given<TaskOnlyFile>;

export interface CheckOptions {
  readonly name?: string;
  readonly run: string | string[];
  readonly timeoutMinutes?: number;
  /** How often a failing check is run again. If it passes then, it counts as passed and is reported as flaky. */
  readonly retries?: number;
}

export function commonFile(said: CommonOptions): CommonFile {
  const { retry } = said;
  const plain = commonOptions.filter(({ name }) => name !== 'env');
  return defined({
    ...Object.fromEntries(plain.map(({ inFile, name }) => [inFile, said[name as keyof CommonOptions]])),
    retry:
      retry &&
      defined({
        attempts: retry.attempts,
        'delay-seconds': retry.delaySeconds,
        conflicts: retry.conflicts,
        'send-backs': retry.sendBacks,
        how: retry.how,
      }),
    checks: checksFile(said.checks),
  }) as CommonFile;
}

export function taskOnlyFile(said: TaskOnlyOptions): TaskOnlyFile {
  return Object.fromEntries(taskOptions.map(({ inFile, name }) => [inFile, said[name]])) as TaskOnlyFile;
}

export function checksFile(checks: CommonOptions['checks']): object[] | undefined {
  return checks?.map((check) => {
    if (typeof check === 'string') return check;
    const { name, run, timeoutMinutes, retries } = check;
    return defined({ name, run, 'timeout-minutes': timeoutMinutes, retries });
  }) as object[] | undefined;
}
