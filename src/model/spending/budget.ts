// Budgets and amounts spent. Whole units only, so that a sum is exactly equal to its parts.

import type { TaskId } from '../core/ids.ts';
import type { UsageTotal } from './usage.ts';

/** A dimension that is not named has no limit. */
export interface Budget {
  /** Input and output; tokens read from a cache are not counted. */
  readonly tokens?: number;
  readonly microUsd?: number;
  /** Requests to the model. */
  readonly turns?: number;
  /** The running time of its agents' processes, added up. */
  readonly timeMs?: number;
  /** All agents that ever existed. */
  readonly agents?: number;
}

/** Dimensions that work uses up. */
export const dimensions = ['tokens', 'microUsd', 'turns', 'timeMs'] as const;
export type Dimension = (typeof dimensions)[number];

/** All dimensions that a budget may limit. */
export const limitNames = [...dimensions, 'agents'] as const;
export type LimitName = (typeof limitNames)[number];

/** A budget without limits is null. */
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

/** The amounts spent, in the dimensions of a budget. */
export function spentOf(usage: UsageTotal): Budget {
  return Object.fromEntries(dimensions.map((dimension) => [dimension, amountOf(usage, dimension)]));
}

/** The scope of a budget: the run, one task, or a task with its descendants. */
export type BudgetScope = { readonly of: 'run' } | { readonly of: 'task' | 'tree'; readonly taskId: TaskId };

/** `unknown`: the cost of some usage is unknown, so money cannot be counted. */
export interface Exhausted {
  readonly what: LimitName | 'unknown';
  readonly spent: number;
  readonly limit: number;
}

/** Equal scopes have equal names. */
export function scopeName(scope: BudgetScope): string {
  return scope.of === 'run' ? 'run' : `${scope.of} ${scope.taskId}`;
}

/** Whether the day has a budget and, if that is exhausted, a sentence that says so. `timed`: its time is exhausted. */
export interface DayState {
  readonly limited: boolean;
  readonly exhausted: string | null;
  readonly timed?: boolean;
}
