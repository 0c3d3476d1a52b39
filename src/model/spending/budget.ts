// What may be spent, and how much was. Whole units only, so that a sum is equal to its parts to the last of them.

import type { TaskId } from '../core/ids.ts';
import type { UsageTotal } from './usage.ts';

/** What is not named has no limit. */
export interface Budget {
  /** Read and written anew; what a cache gave again is not counted. */
  readonly tokens?: number;
  readonly microUsd?: number;
  /** Requests to the model. */
  readonly turns?: number;
  /** How long processes of its agents ran, added up. */
  readonly timeMs?: number;
  /** Agents that there ever were. */
  readonly agents?: number;
}

/** What is used up by being at work. */
export const dimensions = ['tokens', 'microUsd', 'turns', 'timeMs'] as const;
export type Dimension = (typeof dimensions)[number];

/** All that a budget may limit. */
export const limitNames = [...dimensions, 'agents'] as const;
export type LimitName = (typeof limitNames)[number];

/** One that limits nothing is none. */
export function limiting(budget: Budget): Budget | null {
  return Object.keys(budget).length === 0 ? null : budget;
}

export function amountOf(usage: UsageTotal, dimension: Dimension): number {
  switch (dimension) {
    case 'tokens':
      return usage.inputTokens + usage.outputTokens + usage.cacheWriteTokens;
    case 'microUsd':
      return usage.costMicroUsd;
    case 'turns':
      return usage.turns;
    case 'timeMs':
      return usage.timeMs;
  }
}

/** All that was spent, as a budget would have it. */
export function spentOf(usage: UsageTotal): Budget {
  return Object.fromEntries(dimensions.map((dimension) => [dimension, amountOf(usage, dimension)]));
}

/** Whose budget: of the run, of one task, or of all below a task. */
export type BudgetScope = { readonly of: 'run' } | { readonly of: 'task' | 'tree'; readonly taskId: TaskId };

/** `unknown`: what something cost is not known, so that money cannot be counted. */
export interface Exhausted {
  readonly what: LimitName | 'unknown';
  readonly spent: number;
  readonly limit: number;
}

/** Scopes of the same thing have the same name. */
export function scopeName(scope: BudgetScope): string {
  return scope.of === 'run' ? 'run' : `${scope.of} ${scope.taskId}`;
}

/** Whether the day has a budget, and if that is used up, in a sentence. `timed`: time is what it has no more of. */
export interface DayState {
  readonly limited: boolean;
  readonly exhausted: string | null;
  readonly timed?: boolean;
}
