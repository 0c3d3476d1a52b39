// What a task does when its account may use no more: what it says itself, what its role has, what holds for the plan.

import type { Plan, PlanTask } from '../plan.ts';
import type { Role } from '../role.ts';

export interface QuotaWords {
  readonly onQuota: 'wait' | 'fallback' | 'stop';
  readonly fallback: readonly string[];
}

/** Whoever names other models wants them used. */
export function quotaWords({ defaults }: Plan, task: PlanTask, role: Role | null): QuotaWords {
  if (task.work.kind !== 'prompt') return { onQuota: 'wait', fallback: [] };
  const fallback = task.fallback ?? role?.fallback ?? defaults.fallback ?? [];
  const own = task.onQuota ?? (task.fallback === null ? defaults.onQuota : 'fallback');
  return { onQuota: own ?? (fallback.length > 0 ? 'fallback' : 'wait'), fallback };
}
