// What a journal means, for comparing a replay with what it was when it was kept.

import type { Run } from '../../../src/model/core/run.ts';

/** What a journal means, in words that outlive the shape of the state. */
export function outcomesOf(run: Run): unknown {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, costMicroUsd, unknownCosts } =
    run.spending.usage;
  return {
    state: run.state,
    outcome: run.outcome,
    usage: { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, costMicroUsd, unknownCosts },
    tasks: Array.from(run.tasks.values(), ({ spec, state, outcome, tries: { attempts } }) => ({
      name: spec.name,
      state,
      outcome,
      attempts,
    })),
  };
}
