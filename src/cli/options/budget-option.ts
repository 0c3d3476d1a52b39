// The run's budget, from the --max-* options.

import { defined } from '../../std/defined.ts';
import type { CreateRunInput } from '../../wire/request-schemas.ts';
import type { RunView } from '../../wire/views.ts';

/** Whole units: millionths of a dollar, tokens, turns, milliseconds. */
export interface BudgetOptions {
  readonly maxUsd?: number;
  readonly maxTokens?: number;
  readonly maxTurns?: number;
  readonly maxTime?: number;
  readonly maxAgents?: number;
}

/** Options win over the plan; null = no limit. */
export function budgetOption(
  { maxUsd, maxTokens, maxTurns, maxTime, maxAgents }: BudgetOptions,
  planned: CreateRunInput['budget'] = null,
): NonNullable<CreateRunInput['budget']> | null {
  const given = defined({ microUsd: maxUsd, tokens: maxTokens, turns: maxTurns, timeMs: maxTime, agents: maxAgents });
  const budget = { ...planned, ...given };
  return Object.keys(budget).length === 0 ? null : budget;
}

/** What remains for the next run after this one spent its share. */
export function budgetAfter(options: BudgetOptions, { usage, tasks }: RunView): BudgetOptions {
  const { inputTokens, outputTokens, cacheWriteTokens, costAtLeastMicroUsd, turns, timeMs } = usage;
  const agents = tasks.reduce((sum, { attempts }) => sum + attempts, 0);
  const left = (limit: number | undefined, used: number): number | undefined =>
    limit === undefined ? undefined : Math.max(1, limit - used);
  return defined({
    maxUsd: left(options.maxUsd, costAtLeastMicroUsd),
    maxTokens: left(options.maxTokens, inputTokens + outputTokens + cacheWriteTokens),
    maxTurns: left(options.maxTurns, turns),
    maxTime: left(options.maxTime, timeMs),
    maxAgents: left(options.maxAgents, agents),
  });
}
