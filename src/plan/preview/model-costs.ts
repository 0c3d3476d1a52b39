// What a plan's choice of models saves, before it starts: the same work with the models that its tasks name, and with the strong model
// of each harness for all of them. Nobody knows yet how much each task will read and write, so each counts as one of a stated size.

import { joinTiers, modelNamed, modelTiers, type TierTable, tiersOf } from '../../model/core/model-tiers.ts';
import type { HarnessRules } from '../../model/spending/harness-rules.ts';
import { costAt, type PriceTable } from '../../model/spending/prices.ts';
import type { Usage } from '../../model/spending/usage.ts';
import type { CompiledRun } from '../compile/compile-plan.ts';

/** A task of 20 requests that reads 40,000 tokens of files and results and writes 8,000: most of what it reads is cached by then. */
export const usualTask: Usage = {
  inputTokens: 2_000,
  cacheWriteTokens: 40_000,
  cacheReadTokens: 400_000,
  outputTokens: 8_000,
  costMicroUsd: null,
  turns: 20,
};

export interface ModelCosts {
  /** The tasks of each model; `tier`: as the harness has it. */
  readonly models: readonly ModelTasks[];
  /** Of tasks whose models have prices, in millionths of a dollar. */
  readonly withTiers: number;
  readonly allStrong: number;
  /** Tasks that are in neither sum: their model, or its price, is not known. */
  readonly unknown: readonly string[];
}

export interface ModelTasks {
  readonly harness: string;
  readonly model: string;
  readonly tier: string | null;
  readonly tasks: readonly string[];
}

type TaskInput = CompiledRun['tasks'][number];

/** null: the plan names no tier, so that there is nothing to compare. */
export function modelCosts(
  run: CompiledRun,
  omitted: ReadonlySet<string>,
  harnesses: HarnessRules,
  own: PriceTable,
): ModelCosts | null {
  const tiers = joinTiers(harnesses.tiers, run.models ?? {});
  const working = run.tasks.filter(({ name, kind, harness }) => {
    return !omitted.has(name) && kind !== 'gate' && kind !== 'milestone' && harness !== 'command';
  });
  if (!working.some(({ settings }) => isTierWord(settings?.['model']))) return null;
  const models = new Map<string, { of: Omit<ModelTasks, 'tasks'>; tasks: string[] }>();
  const unknown: string[] = [];
  let [withTiers, allStrong] = [0, 0];
  const priced = (harness: string, model: string): number | null => {
    const price = harnesses.price(harness, model, own);
    return price === null ? null : costAt(price, usualTask);
  };
  for (const task of working) {
    const named = modelOf(task, tiers, harnesses.names);
    const strong = named === null ? null : modelNamed(tiers, named.harness, 'strong');
    const [mine, most] = [
      named === null ? null : priced(named.harness, named.model),
      named === null || strong === null ? null : priced(named.harness, strong),
    ];
    if (named === null || mine === null || most === null) {
      unknown.push(task.name);
      continue;
    }
    withTiers += mine * itemsOf(task);
    allStrong += most * itemsOf(task);
    const key = `${named.harness} ${named.model}`;
    const tier = tiersOf(tiers, named.harness, named.model)[0] ?? null;
    const line = models.get(key) ?? { of: { ...named, tier }, tasks: [] };
    line.tasks.push(task.name);
    models.set(key, line);
  }
  return { models: [...models.values()].map(({ of, tasks }) => ({ ...of, tasks })), withTiers, allStrong, unknown };
}

function isTierWord(word: string | undefined): boolean {
  return (modelTiers as readonly (string | undefined)[]).includes(word);
}

/** A task that names no harness is shown with the first one that has tiers. */
function modelOf(
  { harness: said, settings }: TaskInput,
  tiers: TierTable,
  names: readonly string[],
): { readonly harness: string; readonly model: string } | null {
  const harness = said ?? names.find((name) => Object.hasOwn(tiers, name));
  const word = settings?.['model'];
  const model = harness === undefined || word === undefined ? null : modelNamed(tiers, harness, word);
  return harness === undefined || model === null ? null : { harness, model };
}

/** Items that only the run will know count as one. */
function itemsOf({ kind, items }: TaskInput): number {
  return kind === 'matrix' && Array.isArray(items) ? items.length : 1;
}
