// What agents use: tokens, money, requests, time.

/** The usage of one model; null = unknown model. */
export interface ModelUsage {
  readonly model: string | null;
  readonly usage: Usage;
}

/** Whole units only, so that sums are exact. A null cost is unknown, never zero. */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly costMicroUsd: number | null;
  /** Requests to the model. */
  readonly turns: number;
  /** We estimated the cost from a table of prices; the agent reported none. */
  readonly estimated?: true;
}

export interface UsageTotal {
  inputTokens: number;
  outputTokens: number;
  cacheReadTokens: number;
  cacheWriteTokens: number;
  costMicroUsd: number;
  /** Usages of unknown cost: while this is not 0, the cost above is a lower bound. */
  unknownCosts: number;
  /** The estimated part of the cost. */
  estimatedMicroUsd: number;
  turns: number;
  /** The running time of its processes that have ended. */
  timeMs: number;
}

export function noUsage(): UsageTotal {
  return {
    inputTokens: 0,
    outputTokens: 0,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    costMicroUsd: 0,
    unknownCosts: 0,
    estimatedMicroUsd: 0,
    turns: 0,
    timeMs: 0,
  };
}

export function addUsage(total: UsageTotal, usage: Usage): void {
  total.inputTokens += usage.inputTokens;
  total.outputTokens += usage.outputTokens;
  total.cacheReadTokens += usage.cacheReadTokens;
  total.cacheWriteTokens += usage.cacheWriteTokens;
  total.turns += usage.turns;
  if (usage.costMicroUsd === null) total.unknownCosts += 1;
  else total.costMicroUsd += usage.costMicroUsd;
  if (usage.estimated === true) total.estimatedMicroUsd += usage.costMicroUsd ?? 0;
}

export function addTotal(total: UsageTotal, more: UsageTotal): void {
  for (const name of Object.keys(total) as (keyof UsageTotal)[]) total[name] += more[name];
}

/** The usage since `before`, by model; both are sums of the same session. */
export function usageSince(now: readonly ModelUsage[], before: readonly ModelUsage[]): ModelUsage[] {
  const grown: ModelUsage[] = [];
  for (const { model, usage } of now) {
    const more = moreThan(usage, before.find((each) => each.model === model)?.usage ?? nothing);
    if (more !== null) grown.push({ model, usage: more });
  }
  return grown;
}

const nothing: Usage = { ...noUsage(), costMicroUsd: 0 };

/** null: nothing was used. Fast, because every decision about budgets calls this for every agent at work. */
function moreThan(usage: Usage, before: Usage): Usage | null {
  const inputTokens = Math.max(0, usage.inputTokens - before.inputTokens);
  const outputTokens = Math.max(0, usage.outputTokens - before.outputTokens);
  const cacheReadTokens = Math.max(0, usage.cacheReadTokens - before.cacheReadTokens);
  const cacheWriteTokens = Math.max(0, usage.cacheWriteTokens - before.cacheWriteTokens);
  const turns = Math.max(0, usage.turns - before.turns);
  if (inputTokens + outputTokens + cacheReadTokens + cacheWriteTokens + turns === 0) return null;
  const known = usage.costMicroUsd !== null && before.costMicroUsd !== null;
  const costMicroUsd = known ? Math.max(0, usage.costMicroUsd - before.costMicroUsd) : null;
  const counted = { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, turns, costMicroUsd };
  return usage.estimated === true ? { ...counted, estimated: true } : counted;
}
