// View of usage. Unknown is null, never zero.

import type { LaunchId } from '../../model/core/ids.ts';
import type { Progress } from '../../model/session/agent-activity.ts';
import type { MeteredOf } from '../../model/spending/underway.ts';
import type { UsageTotal } from '../../model/spending/usage.ts';
import type { UsageView } from '../../wire/usage-views.ts';

/** The newest figures of working sessions. Every view uses these, so that all show the same. */
export function liveMetered(progress: (launchId: LaunchId) => Progress | null): MeteredOf {
  return (agent, { launches: { current: launch } }) =>
    (launch?.state === 'live' ? progress(launch.id)?.metered : null) ?? agent.spending.metered;
}

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
