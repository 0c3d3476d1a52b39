// What a harness reads out of an agent's output, as far as it changes state. All of it is the agent's word.

import type { Failure } from './failure.ts';
import type { MessageId } from './ids.ts';

export type AgentFact =
  | { readonly kind: 'session'; readonly session: string }
  | { readonly kind: 'delivered'; readonly messageId: MessageId }
  | { readonly kind: 'usage'; readonly usage: Usage }
  | { readonly kind: 'turnEnded'; readonly turn: Turn };

/** How a turn ended. `text` is cut to `turnTextMax`; the whole is in the transcript. */
export type Turn =
  | { readonly kind: 'ok'; readonly text: string; readonly cut: boolean }
  | { readonly kind: 'failed'; readonly failure: Failure };

/** Whole units only, so that sums are exact. A null cost is unknown, never zero. */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly costMicroUsd: number | null;
}

export const turnTextMax = 2_000;

export interface UsageTotal {
  inputTokens: number;
  outputTokens: number;
  cacheReadTokens: number;
  cacheWriteTokens: number;
  costMicroUsd: number;
  /** Usages whose cost nobody told: while this is not 0, the cost above is a lower bound. */
  unknownCosts: number;
}

export function noUsage(): UsageTotal {
  return {
    inputTokens: 0,
    outputTokens: 0,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    costMicroUsd: 0,
    unknownCosts: 0,
  };
}

export function addUsage(total: UsageTotal, usage: Usage): void {
  total.inputTokens += usage.inputTokens;
  total.outputTokens += usage.outputTokens;
  total.cacheReadTokens += usage.cacheReadTokens;
  total.cacheWriteTokens += usage.cacheWriteTokens;
  if (usage.costMicroUsd === null) total.unknownCosts += 1;
  else total.costMicroUsd += usage.costMicroUsd;
}
