// Budgets and usage of a run, its tasks, attempts and agents. Written by evolve-spending.ts alone.

import type { Budget } from './budget.ts';
import { type ModelUsage, noUsage, type UsageTotal } from './usage.ts';

export interface RunSpending {
  usage: UsageTotal;
  /** The present budget; null = no limit. */
  budget: Budget | null;
  /** Whether any of its tasks has a budget. */
  budgeted: boolean;
  /** Whether the day has a budget. */
  dayLimited: boolean;
  /** Why the day's budget is exhausted; null = it is not, or there is none. */
  dayExhausted: string | null;
  /** Whether the day's time is exhausted. */
  dayTimed: boolean;
  /** How many usages of unknown cost a person has accepted, by the scope of the budget that they set. */
  unknownAccepted: Map<string, number>;
}

export interface TaskSpending {
  usage: UsageTotal;
  /** The same by model. */
  usageOf: Record<string, UsageTotal>;
  /** The same for the task and its descendants. */
  treeUsage: UsageTotal;
  budget: Budget | null;
  treeBudget: Budget | null;
}

export interface AttemptSpending {
  /** Reserved for it in the budgets above its own; null = nothing. */
  reserved: Budget | null;
  /** What its task had spent when that was reserved. */
  spentBefore: Budget;
}

export interface AgentSpending {
  /** The usage of its session in all as the agent reports it, and how much of that is booked. */
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
