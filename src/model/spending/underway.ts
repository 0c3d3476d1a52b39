// Usage of unfinished turns, as far as it is known: agents report it, and the journal holds only some of the reports. People
// see the newest figures that the daemon has read; decisions use what is journalled, and what the same append reports.

import type { Agent } from '../core/agent.ts';
import type { Attempt } from '../core/attempt.ts';
import type { TaskId } from '../core/ids.ts';
import { agentOf, taskOf } from '../core/lookup.ts';
import type { Run } from '../core/run.ts';
import type { BudgetScope } from './budget.ts';
import { isWithin } from './scopes.ts';
import { addUsage, type ModelUsage, noUsage, type UsageTotal, usageSince } from './usage.ts';

/** The usage that the session of an agent at work reports in all. */
export type MeteredOf = (agent: Agent, attempt: Attempt) => readonly ModelUsage[];

export const journalled: MeteredOf = ({ spending }) => spending.metered;

/** The report of one session that is not journalled yet. */
export function justTold(who: Agent, parts: readonly ModelUsage[]): MeteredOf {
  return (agent) => (agent === who ? parts : agent.spending.metered);
}

export function underwayIn(run: Run, scope: BudgetScope, meteredOf: MeteredOf): UsageTotal {
  const total = noUsage();
  for (const attempt of run.live.values()) {
    const agent = agentOf(run, attempt.agentId);
    const metered = meteredOf(agent, attempt);
    if (metered.length === 0 || !isWithin(run, attempt.taskId, scope)) continue;
    for (const { usage } of usageSince(metered, agent.spending.booked)) addUsage(total, usage);
  }
  return total;
}

/** Booked usage and usage of unfinished turns, of a run and its tasks. */
export interface UsageNow {
  readonly run: UsageTotal;
  of(taskId: TaskId): UsageTotal;
  /** By model; '' = unknown model. */
  models(taskId: TaskId): Readonly<Record<string, UsageTotal>>;
}

export function usageNow(run: Run, meteredOf: MeteredOf, now: number): UsageNow {
  const total = { ...run.spending.usage };
  const tasks = new Map<TaskId, { usage: UsageTotal; models: Record<string, UsageTotal> }>();
  for (const attempt of run.live.values()) {
    const {
      taskId,
      state,
      launches: { current: launch },
    } = attempt;
    const agent = agentOf(run, attempt.agentId);
    const { usage, models } = tasks.get(taskId) ?? booked(run, taskId);
    tasks.set(taskId, { usage, models });
    const startedAt = state === 'running' ? (launch?.startedAt ?? null) : null;
    const ran = startedAt === null ? 0 : Math.max(0, now - startedAt);
    usage.timeMs += ran;
    total.timeMs += ran;
    for (const part of usageSince(meteredOf(agent, attempt), agent.spending.booked)) {
      addUsage(total, part.usage);
      addUsage(usage, part.usage);
      addUsage((models[part.model ?? ''] ??= noUsage()), part.usage);
    }
  }
  const find = (taskId: TaskId) => tasks.get(taskId) ?? booked(run, taskId);
  return { run: total, of: (taskId) => find(taskId).usage, models: (taskId) => find(taskId).models };
}

/** A copy, which may be changed. */
function booked(run: Run, taskId: TaskId): { usage: UsageTotal; models: Record<string, UsageTotal> } {
  const { usage, usageOf } = taskOf(run, taskId).spending;
  const models = Object.entries(usageOf).map(([model, each]) => [model, { ...each }] as const);
  return { usage: { ...usage }, models: Object.fromEntries(models) };
}
