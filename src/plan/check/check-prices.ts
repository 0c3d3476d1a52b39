// Checks that every model of a task with a limit in money has a price.

import type { HarnessRules } from '../../model/spending/harness-rules.ts';
import type { PriceTable } from '../../model/spending/prices.ts';
import { modelsOf, type ResolvedOptions } from '../defaults.ts';
import { type Problem, problemAt } from '../file/problem.ts';
import type { Plan, PlanTask } from '../plan.ts';

/** The prices of models. */
export interface KnownPrices {
  /** The user's own prices, which override list prices, and their file. */
  readonly own: PriceTable;
  readonly file: string;
  /** The run has a limit in money, in addition to those of the plan. */
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
    // A model that does not exist is reported by check-models.ts.
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
