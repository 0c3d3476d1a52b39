// Sums of what was spent, as the checker itself adds them up: whole units, an unknown cost counted and never zero.

export interface Amounts {
  tokens: number;
  microUsd: number;
  /** How many parts had no cost. */
  unknown: number;
  turns: number;
  timeMs: number;
}

export interface BudgetData {
  readonly tokens?: number;
  readonly microUsd?: number;
  readonly turns?: number;
  readonly timeMs?: number;
  readonly agents?: number;
}

export interface PartData {
  readonly model: string | null;
  readonly usage: UsageData;
}

export interface UsageData {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly costMicroUsd: number | null;
  readonly turns?: number;
}

export interface ScopeData {
  readonly of: string;
  readonly taskId?: string;
}

export interface LineData {
  readonly limit: string;
  readonly since: number;
  readonly until: number;
  readonly probe: string | null;
  readonly cap: number | null;
  /** Until when, by the task of the plan that reported it. */
  readonly claims?: Readonly<Record<string, number>>;
}

export const dimensions = ['tokens', 'microUsd', 'turns', 'timeMs'] as const;

export const nothing = (): Amounts => ({ tokens: 0, microUsd: 0, unknown: 0, turns: 0, timeMs: 0 });

/** What a cache gave again is not counted. */
export function add(sum: Amounts, { usage }: PartData): void {
  sum.tokens += usage.inputTokens + usage.outputTokens + usage.cacheWriteTokens;
  sum.microUsd += usage.costMicroUsd ?? 0;
  sum.unknown += usage.costMicroUsd === null ? 1 : 0;
  sum.turns += usage.turns ?? 0;
}

/** What came to the sums of a session since, model by model; a model of which nothing came is left out. */
export function grown(now: readonly PartData[], before: readonly PartData[]): PartData[] {
  const parts: PartData[] = [];
  for (const { model, usage } of now) {
    const old = before.find((part) => part.model === model)?.usage;
    const more = (count: number, earlier: number | undefined): number => Math.max(0, count - (earlier ?? 0));
    const known = usage.costMicroUsd !== null && old?.costMicroUsd !== null;
    const part = {
      inputTokens: more(usage.inputTokens, old?.inputTokens),
      outputTokens: more(usage.outputTokens, old?.outputTokens),
      cacheReadTokens: more(usage.cacheReadTokens, old?.cacheReadTokens),
      cacheWriteTokens: more(usage.cacheWriteTokens, old?.cacheWriteTokens),
      turns: more(usage.turns ?? 0, old?.turns),
    };
    if (Object.values(part).every((count) => count === 0)) continue;
    parts.push({
      model,
      usage: { ...part, costMicroUsd: known ? more(usage.costMicroUsd ?? 0, old?.costMicroUsd ?? 0) : null },
    });
  }
  return parts;
}

export function sumOf(parts: readonly PartData[]): Amounts {
  const sum = nothing();
  for (const part of parts) add(sum, part);
  return sum;
}

export function isSame(a: Amounts, b: Amounts): boolean {
  return a.unknown === b.unknown && dimensions.every((what) => a[what] === b[what]);
}

export function scopeName({ of, taskId }: ScopeData): string {
  return of === 'run' ? 'run' : `${of} ${taskId}`;
}
