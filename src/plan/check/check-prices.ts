// Whether what a plan limits in money can be counted in money: every model that it names for such a task needs a price.

import type { HarnessRules } from '../../model/spending/harness-rules.ts';
import type { PriceTable } from '../../model/spending/prices.ts';
import { modelsOf, type ResolvedOptions } from '../defaults.ts';
import { type Problem, problemAt } from '../file/problem.ts';
import type { Plan, PlanTask } from '../plan.ts';

/** What a plan's models are priced by. */
export interface KnownPrices {
  /** The user's own, before list prices, and the file that they are in. */
  readonly own: PriceTable;
  readonly file: string;
  /** Money of the run is limited, whether the plan says so or not. */
  readonly isLimited: boolean;
}

export function priceProblems(
  plan: Plan,
  resolved: ReadonlyMap<PlanTask, ResolvedOptions>,
  prices: KnownPrices,
  harnesses: HarnessRules,
): Problem[] {
  const told = new Set<string>();
  return [...resolved].flatMap(([task, own]) => {
    const { harness } = own;
    if (harness === null || !(prices.isLimited || isLimited(plan, own))) return [];
    // One that there is not is told as such.
    const unpriced = modelsOf(plan, task, own).filter(
      ({ model }) =>
        harnesses.modelFlaw(harness, model, prices.own) === null && harnesses.isUnpriced(harness, model, prices.own),
    );
    return unpriced.flatMap(({ model, path }) => {
      const key = `${path.join('.')} ${model}`;
      if (told.has(key)) return [];
      told.add(key);
      const message = `money is limited here, and what "${model}" costs is not known`;
      const suggestion = `write its price into ${prices.file}: { "${model}": { "input": 3, "output": 15 } }, in dollars for a million tokens`;
      return [problemAt(plan.source, path, { message, suggestion })];
    });
  });
}

function isLimited({ limits }: Plan, { budget, budgetInAll }: ResolvedOptions): boolean {
  return [limits.budget, budget, budgetInAll].some((each) => each?.microUsd !== undefined);
}
