// What is done when an agent's context window fills up: what the task says itself, what its role has, what holds for the plan.

import { type ContextSpec, usualContext } from '../../model/session/context-spec.ts';
import type { Plan, PlanTask } from '../plan.ts';
import type { Role } from '../role.ts';

/** Left out where nobody says anything. */
export function contextWords({ defaults }: Plan, task: PlanTask, role: Role | null): { context?: ContextSpec } {
  if (task.work.kind !== 'prompt') return {};
  const how = task.context ?? role?.context ?? defaults.context;
  const percent = task.contextThreshold ?? role?.contextThreshold ?? defaults.contextThreshold;
  if (how === null && percent === null) return {};
  return { context: { how: how ?? usualContext.how, percent: percent ?? usualContext.percent } };
}
