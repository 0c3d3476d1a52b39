// What a run, its tasks, attempts and agents know of what was spent and of what may be. Written by evolve-spending.ts alone.

import type { Budget } from './budget.ts';
import { type ModelUsage, noUsage, type UsageTotal } from './usage.ts';

export interface RunSpending {
  usage: UsageTotal;
  /** What may be spent, as it is now; null = there is no limit. */
  budget: Budget | null;
  /** Whether any of its tasks has a budget. */
  budgeted: boolean;
  /** Whether the day has a budget. */
  dayLimited: boolean;
  /** Why nothing is left of the day's budget; null = something is, or it has none. */
  dayExhausted: string | null;
  /** Whether it is time that the day has none of. */
  dayTimed: boolean;
  /** How many usages of unknown cost a person has accepted, by the scope of the budget that they set. */
  unknownAccepted: Map<string, number>;
}

export interface TaskSpending {
  usage: UsageTotal;
  /** Of that what each model used. */
  usageOf: Record<string, UsageTotal>;
  /** The same for the task and all below it. */
  treeUsage: UsageTotal;
  budget: Budget | null;
  treeBudget: Budget | null;
}

export interface AttemptSpending {
  /** Set apart for it in the budgets above its own; null = nothing is. */
  reserved: Budget | null;
  /** What its task had spent when that was set apart. */
  spentBefore: Budget;
}

export interface AgentSpending {
  /** What its session has used in all by its own record, and how much of that is booked. */
  metered: readonly ModelUsage[];
  booked: readonly ModelUsage[];
}

export function noRunSpending(): RunSpending {
  return {
    usage: noUsage(),
    budget: null,
    budgeted: false,
    dayLimited: false,
    dayExhausted: null,
    dayTimed: false,
    unknownAccepted: new Map(),
  };
}

export function noTaskSpending(budget: Budget | null, treeBudget: Budget | null): TaskSpending {
  return { usage: noUsage(), usageOf: {}, treeUsage: noUsage(), budget, treeBudget };
}
