// What a plan in TypeScript may say both of a task and of all of them.

import { defined } from '../../std/defined.ts';
import type { PlanFile } from '../file/plan-file.ts';

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

/** What both a task and `defaults` may say. */
export interface CommonOptions {
  readonly harness?: string;
  readonly model?: string;
  readonly effort?: string;
  readonly role?: string;
  readonly retry?: {
    readonly attempts?: number;
    readonly delaySeconds?: number;
    readonly conflicts?: number;
    readonly sendBacks?: number;
    readonly how?: 'fresh' | 'continue' | 'auto';
  };
  /** Of one task, all its attempts together; of a matrix each of its tasks. */
  readonly budget?: BudgetOptions;
  /** Of a matrix: all its tasks together. */
  readonly budgetInAll?: BudgetOptions;
  readonly onQuota?: 'wait' | 'fallback' | 'stop';
  readonly fallback?: string | readonly string[];
  readonly onFailure?: 'skip' | 'continue' | 'stop' | 'ask';
  readonly onCrash?: 'go-on' | 'ask';
  readonly onConflict?: 'ask' | 'fail';
  /** When its context window fills up. */
  readonly context?: 'compact' | 'handoff' | 'fail';
  /** Percent; 80. */
  readonly contextThreshold?: number;
  readonly stallMinutes?: number;
  readonly toolStallMinutes?: number;
  readonly timeoutMinutes?: number;
  readonly sandbox?: 'workspace' | 'none';
  readonly permissions?: { readonly allow?: string[]; readonly ask?: string[]; readonly deny?: string[] };
  readonly checks?: readonly (string | CheckOptions)[];
}

export interface CheckOptions {
  readonly name?: string;
  readonly run: string | string[];
  readonly timeoutMinutes?: number;
  /** How often one that fails is run again; passing then counts, and is told as flaky. */
  readonly retries?: number;
}

export function commonFile(said: CommonOptions): NonNullable<PlanFile['defaults']> {
  const { harness, model, effort, role, retry, sandbox, permissions } = said;
  return defined({
    harness,
    model,
    effort,
    role,
    sandbox,
    permissions,
    retry:
      retry &&
      defined({
        attempts: retry.attempts,
        'delay-seconds': retry.delaySeconds,
        conflicts: retry.conflicts,
        'send-backs': retry.sendBacks,
        how: retry.how,
      }),
    budget: said.budget,
    'budget-in-all': said.budgetInAll,
    'on-quota': said.onQuota,
    fallback: said.fallback,
    'on-failure': said.onFailure,
    'on-crash': said.onCrash,
    'on-conflict': said.onConflict,
    'timeout-minutes': said.timeoutMinutes,
    context: said.context,
    'context-threshold': said.contextThreshold,
    'stall-minutes': said.stallMinutes,
    'tool-stall-minutes': said.toolStallMinutes,
    checks: checksFile(said.checks),
  }) as NonNullable<PlanFile['defaults']>;
}

export function checksFile(checks: CommonOptions['checks']): object[] | undefined {
  return checks?.map((check) => {
    if (typeof check === 'string') return check;
    const { name, run, timeoutMinutes, retries } = check;
    return defined({ name, run, 'timeout-minutes': timeoutMinutes, retries });
  }) as object[] | undefined;
}
