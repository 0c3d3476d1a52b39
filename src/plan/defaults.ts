// The options that hold for a task: its own, then those of its role, then the plan's `defaults`. `plan check`, the previews and
// the compiler all take them from here. What is still null after that is left to the daemon (server/routes/submit-request.ts).

import { type ContextSpec, usualContext } from '../model/session/context-spec.ts';
import type { Budget } from '../model/spending/budget.ts';
import { defined } from '../std/defined.ts';
import { budgetWith } from './file/budget-from.ts';
import type { PlanPath } from './file/problem.ts';
import { commonOptions, type OptionName } from './option-names.ts';
import type { Plan, PlanCommon, PlanRetry, PlanTask } from './plan.ts';
import type { Role, Roles } from './role.ts';

export interface ResolvedOptions extends Omit<PlanCommon, 'role' | 'context' | 'contextThreshold'> {
  readonly roleName: string | null;
  /** null = the task has no role, or its role is not known. */
  readonly role: Role | null;
  readonly context: ContextSpec | null;
  readonly onQuota: 'wait' | 'fallback' | 'stop';
  readonly fallback: readonly string[];
  readonly onFailure: 'skip' | 'continue' | 'stop' | 'ask';
}

export function resolveOptions(plan: Plan, task: PlanTask, roles: Roles): ResolvedOptions {
  const { kind } = task.work;
  // Defaults are about work: they do not apply to a gate.
  const defaults: PlanCommon = kind === 'gate' ? task : plan.defaults;
  const isCommand = kind === 'shell' || kind === 'argv';
  const first = firstSet(task, defaults);
  const harness = isCommand ? 'command' : first.harness;
  const roleName = isCommand ? null : first.role;
  const role = roleName === null ? null : (roles.get(roleName) ?? null);
  // Assigned, not spread: in a large plan copying the options again takes longer than resolving them.
  return Object.assign(first, {
    harness,
    roleName,
    role,
    model: harness === 'command' ? task.model : (modelOf(plan, task, role)?.model ?? null),
    effort: harness === 'command' ? task.effort : first.effort,
    retry: retryWith(task.retry, defaults.retry),
    budget: budgetWith(isCommand ? timeOf(defaults.budget) : defaults.budget, task.budget),
    budgetInAll: task.matrix === null ? null : budgetWith(defaults.budgetInAll, task.budgetInAll),
    env: { ...defaults.env, ...task.env },
    context: kind === 'prompt' ? contextOf(task, role ?? {}, defaults) : null,
    onFailure: onFailureOf(plan, task),
    ...quotaOf(task, role, defaults),
  }) as unknown as ResolvedOptions;
}

function firstSet(task: PlanCommon, defaults: PlanCommon): PlanCommon {
  const first: Partial<Record<OptionName, unknown>> = {};
  for (const { name } of commonOptions) first[name] = task[name] ?? defaults[name];
  return first as unknown as PlanCommon;
}

function retryWith(own: PlanRetry, usual: PlanRetry): PlanRetry {
  return {
    attempts: own.attempts ?? usual.attempts,
    delaySeconds: own.delaySeconds ?? usual.delaySeconds,
    conflicts: own.conflicts ?? usual.conflicts,
    sendBacks: own.sendBacks ?? usual.sendBacks,
    how: own.how ?? usual.how,
  };
}

/** A command calls no model: of the default budget only time and the number of attempts apply to it. */
function timeOf(budget: Budget | null): Budget | null {
  const { timeMs, agents } = budget ?? {};
  return timeMs === undefined && agents === undefined ? null : defined({ timeMs, agents });
}

type ContextWords = Partial<Pick<PlanCommon, 'context' | 'contextThreshold'>>;

/** Each of the two settings comes from the first that sets it; null = none sets either. */
export function contextOf(...said: readonly ContextWords[]): ContextSpec | null {
  const how = said.map(({ context }) => context ?? null).find((each) => each !== null);
  const percent = said.map(({ contextThreshold }) => contextThreshold ?? null).find((each) => each !== null);
  if (how === undefined && percent === undefined) return null;
  return { how: how ?? usualContext.how, percent: percent ?? usualContext.percent };
}

/** A task that names fallback models uses them unless it sets something else. */
function quotaOf(
  task: PlanTask,
  role: Role | null,
  defaults: PlanCommon,
): Pick<ResolvedOptions, 'onQuota' | 'fallback'> {
  if (task.work.kind !== 'prompt') return { onQuota: 'wait', fallback: [] };
  const fallback = task.fallback ?? role?.fallback ?? defaults.fallback ?? [];
  const said = task.onQuota ?? (task.fallback === null ? defaults.onQuota : 'fallback');
  return { onQuota: said ?? (fallback.length > 0 ? 'fallback' : 'wait'), fallback };
}

/** `ask` does not apply to a gate by default: a person has just been asked. */
export function onFailureOf(plan: Plan, task: PlanTask): ResolvedOptions['onFailure'] {
  const usual = plan.defaults.onFailure ?? 'skip';
  return task.onFailure ?? (task.work.kind === 'gate' && usual === 'ask' ? 'skip' : usual);
}

export interface NamedModel {
  readonly model: string;
  /** Where the plan names it. */
  readonly path: PlanPath;
}

/** null = no model is named: the harness chooses. */
function modelOf(plan: Plan, task: PlanTask, role: Role | null): NamedModel | null {
  const path = ['tasks', task.name];
  const set = task.settings['model'];
  if (set !== undefined) return { model: set, path: [...path, 'settings', 'model'] };
  if (task.model !== null) return { model: task.model, path: [...path, 'model'] };
  if (role !== null && role.model !== null) return { model: role.model, path: [...path, 'role'] };
  return plan.defaults.model === null ? null : { model: plan.defaults.model, path: ['defaults', 'model'] };
}

/** Every model that the task may use, the first choice first. */
export function modelsOf(plan: Plan, task: PlanTask, { role, fallback }: ResolvedOptions): NamedModel[] {
  const path = ['tasks', task.name];
  const first = modelOf(plan, task, role);
  const others = fallback.map((model, i): NamedModel => {
    if (task.fallback !== null) return { model, path: [...path, 'fallback', i] };
    return { model, path: role?.fallback === undefined ? ['defaults', 'fallback', i] : [...path, 'role'] };
  });
  return first === null ? others : [first, ...others];
}
