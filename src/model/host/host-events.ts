// What happens to a host: a stream of its own, because runs share it and it outlives them.

import type { NoticeEvent } from '../asks/notices.ts';
import type { AttemptId, RunId } from '../core/ids.ts';
import type { Allowance } from '../session/agent-fact.ts';
import type { Line } from '../spending/account-line.ts';
import type { Budget } from '../spending/budget.ts';
import type { ModelUsage } from '../spending/usage.ts';

export type HostEvent = { readonly at: number } & HostEventBody;

export type HostEventBody =
  | NoticeEvent
  /** `harnessSlots`: of these slots how many agents of one harness may have. */
  | {
      readonly type: 'host.configured';
      readonly slots: number;
      readonly harnessSlots?: Readonly<Record<string, number>>;
    }
  | { readonly type: 'slot.taken'; readonly attemptId: AttemptId; readonly runId: RunId }
  | { readonly type: 'slot.freed'; readonly attemptId: AttemptId }
  /** How a line to a model's service is from now on; null = nothing is wrong with it. */
  | { readonly type: 'line.set'; readonly name: string; readonly line: Line | null }
  | ({ readonly type: 'account.told'; readonly account: string } & Allowance)
  /** Of the day that it is by the user's own clock. */
  | { readonly type: 'day.spent'; readonly day: string; readonly parts: readonly ModelUsage[] }
  /** How long processes ran that ended on this day. */
  | { readonly type: 'day.ran'; readonly day: string; readonly ms: number }
  /** What may be spent in a day; an empty one is no limit. */
  | { readonly type: 'day.budget'; readonly budget: Budget; readonly by: string };
