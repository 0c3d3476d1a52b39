// Reads the options of a task and of `defaults`. Most are taken as they are; the others are parsed here.

import { defined } from '../../std/defined.ts';
import { commonOptions, type Option, type OptionName, type Options } from '../option-names.ts';
import type { PlanCheck, PlanCommon } from '../plan.ts';
import { budgetOf } from './budget-from.ts';
import type { CommonFile } from './plan-file.ts';
import type { PlanPath } from './problem.ts';
import type { Reading } from './read-values.ts';

/** Adds the options to `own`, which spreading them into another object would copy once more for every task. */
export function withCommon<Own extends object>(
  own: Own,
  given: CommonFile,
  path: PlanPath,
  reading: Reading,
): Own & PlanCommon {
  const { permissions, retry, fallback, mcp } = given;
  const env = Object.entries(given.env ?? {});
  const parsed: Partial<Record<OptionName, unknown>> = Object.assign(own, {
    retry: {
      attempts: retry?.attempts ?? null,
      delaySeconds: retry?.['delay-seconds'] ?? null,
      conflicts: retry?.conflicts ?? null,
      sendBacks: retry?.['send-backs'] ?? null,
      how: retry?.how ?? null,
    },
    env: Object.fromEntries(env.map(([name, value]) => [name, reading.text(value, [...path, 'env', name])])),
    permissions: permissions === undefined ? null : { allow: [], ask: [], deny: [], ...defined(permissions) },
    checks: checksOf(given.checks),
    budget: budgetOf(given.budget, [...path, 'budget'], reading),
    budgetInAll: budgetOf(given['budget-in-all'], [...path, 'budget-in-all'], reading),
    fallback: fallback === undefined ? null : [fallback].flat(),
    mcp: mcp === undefined ? null : [mcp].flat(),
  });
  return withPlain(parsed, given, commonOptions) as unknown as Own & PlanCommon;
}

/** Adds those that are taken as they are, unless they are there. */
export function withPlain<Own extends object, File>(
  own: Own,
  given: File,
  options: readonly Option<File>[],
): Own & Options<File> {
  const all = own as Record<string, unknown>;
  for (const { inFile, name } of options) if (all[name] === undefined) all[name] = given[inFile] ?? null;
  return own as Own & Options<File>;
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
