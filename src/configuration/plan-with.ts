// Completes a plan with the values of a configuration that it does not set itself.

import { budgetWith } from '../plan/file/budget-from.ts';
import { checksOf } from '../plan/file/common-from.ts';
import { historyOf } from '../plan/file/plan-from.ts';
import { keeps, type Plan, type PlanLimits, type PlanTask } from '../plan/plan.ts';
import type { Values } from './read-configuration.ts';

export function planWith(plan: Plan, { sandbox, checks, limits, ...others }: Values): Plan {
  const usual = checksOf(checks);
  const lacksChecks = (task: PlanTask): boolean => task.checks === null && plan.defaults.checks === null;
  return {
    ...plan,
    defaults: { ...plan.defaults, sandbox: plan.defaults.sandbox ?? sandbox ?? null },
    landing: { ...plan.landing, history: plan.landing.history ?? historyOf(others) },
    limits: limits === undefined ? plan.limits : limitsWith(limits, plan.limits),
    tasks:
      usual === null
        ? plan.tasks
        : plan.tasks.map((task) => (lacksChecks(task) && changesFiles(plan, task) ? { ...task, checks: usual } : task)),
  };
}

/** A task that only reads has no work to check; a command is its own check. */
function changesFiles(plan: Plan, task: PlanTask): boolean {
  return task.work.kind === 'prompt' && keeps(plan, task) && task.writes?.length !== 0;
}

/** `own` overrides `usual`, limit by limit. */
function limitsWith(usual: PlanLimits, own: PlanLimits): PlanLimits {
  return {
    maxParallel: own.maxParallel ?? usual.maxParallel,
    perHarness: { ...usual.perHarness, ...own.perHarness },
    budget: budgetWith(usual.budget, own.budget),
    confirmAbove: budgetWith(usual.confirmAbove, own.confirmAbove),
    agents: { ...usual.agents, ...own.agents },
  };
}
