// Whether what a plan limits in money can be counted in money: every model that it names for such a task needs a price.

import { modelFlaw } from '../../model/spending/known-models.ts';
import { priceTable } from '../../model/spending/price-table.ts';
import { hasPrice, type PriceTable } from '../../model/spending/prices.ts';
import { quotaWords } from '../compile/quota-default.ts';
import { type PlanPath, type Problem, problemAt } from '../file/problem.ts';
import { type Plan, type PlanTask, withDefaults } from '../plan.ts';
import type { Role, Roles } from '../role.ts';

/** What a plan's models are priced by. */
export interface KnownPrices {
  /** The user's own, before list prices, and the file that they are in. */
  readonly own: PriceTable;
  readonly file: string;
  /** Money of the run is limited, whether the plan says so or not. */
  readonly isLimited: boolean;
}

export function priceProblems(plan: Plan, roles: Roles, prices: KnownPrices): Problem[] {
  const told = new Set<string>();
  return plan.tasks.flatMap((task) => {
    const own = withDefaults(plan, task);
    if (own.harness !== 'claude' || !(prices.isLimited || isLimited(plan, own))) return [];
    // One that there is not is told as such.
    const unpriced = modelsOf(plan, own, roles).filter(
      ({ model }) =>
        modelFlaw(own.harness ?? '', model, prices.own) === null &&
        !hasPrice({ listed: priceTable, own: prices.own }, model),
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

function isLimited({ limits }: Plan, { budget, budgetInAll }: PlanTask): boolean {
  return [limits.budget, budget, budgetInAll].some((each) => each?.microUsd !== undefined);
}

interface Named {
  readonly model: string;
  readonly path: PlanPath;
}

/** Every model that a task may be done with, and where it is said. What nobody names is the harness's affair. */
export function modelsOf(plan: Plan, task: PlanTask, roles: Roles): Named[] {
  const path = ['tasks', task.name];
  const role = task.role === null ? null : (roles.get(task.role) ?? null);
  const first = firstModel(plan, task, role, path);
  const others = quotaWords(plan, task, role).fallback.map((model, i): Named => {
    if (task.fallback !== null) return { model, path: [...path, 'fallback', i] };
    return { model, path: role?.fallback === undefined ? ['defaults', 'fallback', i] : [...path, 'role'] };
  });
  return [...(first === null ? [] : [first]), ...others];
}

function firstModel({ defaults }: Plan, task: PlanTask, role: Role | null, path: PlanPath): Named | null {
  const set = task.settings['model'];
  if (set !== undefined) return { model: set, path: [...path, 'settings', 'model'] };
  if (task.model !== null) return { model: task.model, path: [...path, 'model'] };
  if (role !== null && role.model !== null) return { model: role.model, path: [...path, 'role'] };
  return defaults.model === null ? null : { model: defaults.model, path: ['defaults', 'model'] };
}
