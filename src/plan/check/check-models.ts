// Checks that the models of a plan exist, if their harness knows its models.

import type { HarnessRules } from '../../model/spending/harness-rules.ts';
import { modelsOf, type ResolvedOptions } from '../defaults.ts';
import { type Problem, problemAt } from '../file/problem.ts';
import type { Plan, PlanTask } from '../plan.ts';
import type { KnownPrices } from './check-prices.ts';

export function modelProblems(
  plan: Plan,
  resolved: ReadonlyMap<PlanTask, ResolvedOptions>,
  { own, file }: KnownPrices,
  harnesses: HarnessRules,
): Problem[] {
  const told = new Set<string>();
  return [...resolved].flatMap(([task, options]) => {
    const { harness } = options;
    if (harness === null) return [];
    return modelsOf(plan, task, options).flatMap(({ model, path }) => {
      const message = harnesses.modelFlaw(harness, model, own);
      const key = `${path.join('.')} ${model}`;
      if (message === null || told.has(key)) return [];
      told.add(key);
      const suggestion = `what a gateway of yours has is known by its price in ${file}`;
      return [problemAt(plan.source, path, { message, suggestion })];
    });
  });
}
