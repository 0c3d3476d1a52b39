// What a run may spend, as its options say it.

import { defined } from '../std/defined.ts';
import type { CreateRunInput } from '../wire/requests.ts';

/** Whole units: millionths of a dollar, tokens, turns, milliseconds. */
export interface BudgetOptions {
  readonly maxUsd?: number;
  readonly maxTokens?: number;
  readonly maxTurns?: number;
  readonly maxTime?: number;
  readonly maxAgents?: number;
}

/** What is said here goes before what the plan says; null = there is no limit. */
export function budgetOption(
  { maxUsd, maxTokens, maxTurns, maxTime, maxAgents }: BudgetOptions,
  planned: CreateRunInput['budget'] = null,
): NonNullable<CreateRunInput['budget']> | null {
  const said = defined({ microUsd: maxUsd, tokens: maxTokens, turns: maxTurns, timeMs: maxTime, agents: maxAgents });
  const budget = { ...planned, ...said };
  return Object.keys(budget).length === 0 ? null : budget;
}
