// The usage of a turn by model, from sums over the process or, in newer versions, over the session. The parts are exactly equal
// to their sum.

import type { ModelUsage, Usage } from '../../model/spending/usage.ts';
import { nameIn, type State, type Sums, type Tally } from './state.ts';
import { countIn, isObject, type Json, microUsdIn, objectIn } from './untrusted-json.ts';

/** One part for each model that was used, and at least one. `sums`: where the next turn begins. */
export function readUsage(state: State, message: Json): { parts: readonly ModelUsage[]; sums: Sums } {
  const before = state.sums ?? (sumsContinue(state.version) ? null : { costMicroUsd: 0, models: {} });
  const cost = microUsdIn(message['total_cost_usd']);
  const models = modelsOf(message['modelUsage']);
  // A sum that shrank is invalid, and a sum with an unknown start says nothing of this turn.
  const known = cost !== null && before !== null && cost >= before.costMicroUsd;
  const counted = models === null || before === null ? null : difference(models, before.models);
  const tallies = counted ?? new Map([[null, ownTally(objectIn(message['usage']))]]);
  const parts = share(tallies, known ? cost - before.costMicroUsd : null, soleModel(state, models));
  return {
    parts: withTurns(parts, state.requests),
    sums: { costMicroUsd: cost ?? before?.costMicroUsd ?? 0, models },
  };
}

/** Sums as the agent reported them outside of a turn. */
export function readSums(session: Json): Sums | null {
  const costMicroUsd = microUsdIn(session['total_cost_usd']);
  return costMicroUsd === null ? null : { costMicroUsd, models: modelsOf(session['model_usage']) };
}

/** The mark of a larger context window does not make it another model. */
export function modelName(name: string): string {
  return name.replace(/\[1m\]$/i, '').slice(0, nameMax);
}

const nameMax = 100;
/** Further models count under no name. */
const modelsMax = 8;

/** Up to 2.1.197 a resumed process counts from zero; 2.1.325 continues the sums of the session. */
function sumsContinue(version: string | null): boolean {
  if (version === null) return false;
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  return major !== 2 || minor !== 1 ? major > 2 || minor > 1 : patch > 197;
}

function modelsOf(modelUsage: unknown): Readonly<Record<string, Tally>> | null {
  if (!isObject(modelUsage)) return null;
  const models = new Map<string, Tally>();
  for (const [key, value] of Object.entries(modelUsage)) {
    const told = modelName(key);
    const name = models.has(told) || models.size < modelsMax - 1 ? told : '';
    models.set(name, plus(models.get(name) ?? nothing, tallyOf(objectIn(value))));
  }
  return Object.fromEntries(models);
}

type Tallies = ReadonlyMap<string | null, Tally>;

/** By model; as one part if that does not add up; null if nothing does. */
function difference(now: Readonly<Record<string, Tally>>, before: Sums['models']): Tallies | null {
  if (before === null) return null;
  const names = [...new Set([...Object.keys(now), ...Object.keys(before)])];
  const parts = names.map((name) => minus(nameIn(now, name) ?? nothing, nameIn(before, name) ?? nothing));
  if (parts.every(isWhole)) return new Map(names.map((name, i) => [name === '' ? null : name, parts[i] ?? nothing]));
  const all = parts.reduce(plus, nothing);
  return isWhole(all) ? new Map([[null, all]]) : null;
}

/** Splits the cost by the share that the agent itself gives each model; the rounding rest goes to the most expensive. */
function share(tallies: Tallies, costMicroUsd: number | null, sole: string | null): ModelUsage[] {
  const used = [...tallies].filter(([, tally]) => tally.some((count) => count > 0));
  const parts = used.length > 0 ? used : [[null, nothing] as const];
  const weights = parts.map(([, tally]) => tally[4]);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const dearest = weights.indexOf(Math.max(...weights));
  let left = costMicroUsd ?? 0;
  const costs = weights.map((weight, i) => {
    const cost = i === dearest || total === 0 ? 0 : Math.min(left, Math.round(((costMicroUsd ?? 0) * weight) / total));
    left -= cost;
    return cost;
  });
  return parts.map(([model, tally], i) => {
    const cost = costMicroUsd === null ? null : (costs[i] ?? 0) + (i === dearest ? left : 0);
    return { model: model ?? (parts.length === 1 ? sole : null), usage: usageOf(tally, cost) };
  });
}

/** Requests of a model that is not among the parts count with the first part. */
function withTurns(parts: readonly ModelUsage[], requests: Readonly<Record<string, number>>): ModelUsage[] {
  const turns = parts.map(() => 0);
  for (const [model, count] of Object.entries(requests)) {
    const at = Math.max(
      0,
      parts.findIndex((part) => part.model === model),
    );
    turns[at] = (turns[at] ?? 0) + count;
  }
  return parts.map(({ model, usage }, i) => ({ model, usage: { ...usage, turns: turns[i] ?? 0 } }));
}

function soleModel(state: State, models: Readonly<Record<string, Tally>> | null): string | null {
  const [sole, ...others] = Object.keys(models ?? {});
  return sole !== undefined && sole !== '' && others.length === 0 ? sole : state.model;
}

const nothing: Tally = [0, 0, 0, 0, 0];

function tallyOf(usage: Json): Tally {
  return [
    countIn(usage['inputTokens']),
    countIn(usage['outputTokens']),
    countIn(usage['cacheReadInputTokens']),
    countIn(usage['cacheCreationInputTokens']),
    Math.max(0, microUsdIn(usage['costUSD']) ?? 0),
  ];
}

function ownTally(usage: Json): Tally {
  const [input, output, read, written] = tokensOf(usage);
  return [input, output, read, written, 0];
}

/** Input, output, cache read and cache write of one answer of the model, or of a turn. */
export function tokensOf(usage: Json): readonly [number, number, number, number] {
  return [
    countIn(usage['input_tokens']),
    countIn(usage['output_tokens']),
    countIn(usage['cache_read_input_tokens']),
    countIn(usage['cache_creation_input_tokens']),
  ];
}

function usageOf([inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens]: Tally, cost: number | null): Usage {
  return { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, costMicroUsd: cost, turns: 0 };
}

function plus(a: Tally, b: Tally): Tally {
  return [a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3], a[4] + b[4]];
}

function minus(a: Tally, b: Tally): Tally {
  // A price that fell changes no count.
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2], a[3] - b[3], Math.max(0, a[4] - b[4])];
}

function isWhole(tally: Tally): boolean {
  return tally.every((count) => count >= 0);
}
