// What both a task and `defaults` may say, from the value of a plan file to a plan.

import { defined } from '../../std/defined.ts';
import type { PlanCheck, PlanCommon } from '../plan.ts';
import { budgetOf } from './budget-from.ts';
import type { CommonFile } from './plan-file.ts';
import type { PlanPath } from './problem.ts';
import type { Reading } from './read-values.ts';

export function commonOf(given: CommonFile, path: PlanPath, reading: Reading): PlanCommon {
  const env = Object.entries(given.env ?? {});
  return {
    harness: given.harness ?? null,
    model: given.model ?? null,
    effort: given.effort ?? null,
    role: given.role ?? null,
    retry: {
      attempts: given.retry?.attempts ?? null,
      delaySeconds: given.retry?.['delay-seconds'] ?? null,
      conflicts: given.retry?.conflicts ?? null,
      sendBacks: given.retry?.['send-backs'] ?? null,
      how: given.retry?.how ?? null,
    },
    timeoutMinutes: given['timeout-minutes'] ?? null,
    sandbox: given.sandbox ?? null,
    env: Object.fromEntries(env.map(([name, value]) => [name, reading.text(value, [...path, 'env', name])])),
    permissions:
      given.permissions === undefined ? null : { allow: [], ask: [], deny: [], ...defined(given.permissions) },
    checks: checksOf(given.checks),
    budget: budgetOf(given.budget, [...path, 'budget'], reading),
    budgetInAll: budgetOf(given['budget-in-all'], [...path, 'budget-in-all'], reading),
    onQuota: given['on-quota'] ?? null,
    fallback: given.fallback === undefined ? null : [given.fallback].flat(),
    onCrash: given['on-crash'] ?? null,
    onConflict: given['on-conflict'] ?? null,
    context: given.context ?? null,
    contextThreshold: given['context-threshold'] ?? null,
    stallMinutes: given['stall-minutes'] ?? null,
    toolStallMinutes: given['tool-stall-minutes'] ?? null,
  };
}

export function checksOf(given: CommonFile['checks']): PlanCheck[] | null {
  if (given === undefined) return null;
  return given.map((check) => {
    if (typeof check === 'string') return { name: null, run: check, timeoutMinutes: null, retries: null };
    const run = typeof check.run === 'string' ? check.run : check.run.map(String);
    const { name = null, retries = null } = check;
    return { name, run, timeoutMinutes: check['timeout-minutes'] ?? null, retries };
  });
}
