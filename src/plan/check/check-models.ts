// Whether the models that a plan names exist, where their harness knows its models.

import { modelFlaw } from '../../model/spending/known-models.ts';
import { type Problem, problemAt } from '../file/problem.ts';
import { type Plan, withDefaults } from '../plan.ts';
import type { Roles } from '../role.ts';
import { type KnownPrices, modelsOf } from './check-prices.ts';

export function modelProblems(plan: Plan, roles: Roles, { own, file }: KnownPrices): Problem[] {
  const told = new Set<string>();
  return plan.tasks.flatMap((task) => {
    const { harness, ...rest } = withDefaults(plan, task);
    if (harness === null) return [];
    return modelsOf(plan, { harness, ...rest }, roles).flatMap(({ model, path }) => {
      const message = modelFlaw(harness, model, own);
      const key = `${path.join('.')} ${model}`;
      if (message === null || told.has(key)) return [];
      told.add(key);
      const suggestion = `what a gateway of yours has is known by its price in ${file}`;
      return [problemAt(plan.source, path, { message, suggestion })];
    });
  });
}
