// View of usage. Unknown is null, never zero.

import type { UsageTotal } from '../../model/spending/usage.ts';
import type { UsageView } from '../../wire/usage-views.ts';

/** Work that started without any report has an unknown cost, not zero. */
export function viewUsage(usage: UsageTotal, begun: boolean): UsageView {
  const { unknownCosts, costMicroUsd, ...rest } = usage;
  const known = unknownCosts === 0 && (!begun || hasTold(usage));
  return { ...rest, costMicroUsd: known ? costMicroUsd : null, costAtLeastMicroUsd: costMicroUsd };
}

/** Process time is always known. */
function hasTold({ timeMs: _, unknownCosts: _u, ...told }: UsageTotal): boolean {
  return Object.values(told).some((count) => count > 0);
}
