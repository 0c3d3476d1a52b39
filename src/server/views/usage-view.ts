// Use as people see it. What is not known is told as unknown, never as zero.

import type { UsageTotal } from '../../model/spending/usage.ts';
import type { UsageView } from '../../wire/usage-views.ts';

/** Of work that has begun and told nothing yet the cost is not zero but unknown. */
export function viewUsage(usage: UsageTotal, begun: boolean): UsageView {
  const { unknownCosts, costMicroUsd, ...rest } = usage;
  const known = unknownCosts === 0 && (!begun || hasTold(usage));
  return { ...rest, costMicroUsd: known ? costMicroUsd : null, costAtLeastMicroUsd: costMicroUsd };
}

/** How long its processes ran is known of everybody. */
function hasTold({ timeMs: _, unknownCosts: _u, ...told }: UsageTotal): boolean {
  return Object.values(told).some((count) => count > 0);
}
