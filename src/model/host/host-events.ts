// Events of a host. They have a stream of their own, because runs share the host and it outlives them.

import type { NoticeEvent } from '../asks/notices.ts';
import type { AttemptId, RunId } from '../core/ids.ts';
import type { Allowance } from '../session/agent-fact.ts';
import type { Line } from '../spending/account-line.ts';
import type { Budget } from '../spending/budget.ts';
import type { ModelUsage } from '../spending/usage.ts';

export type HostEvent = { readonly at: number } & HostEventBody;

export type HostEventBody =
  | NoticeEvent
  /** `harnessSlots`: how many of these slots agents of one harness may use. */
  | {
      readonly type: 'host.configured';
      readonly slots: number;
      readonly harnessSlots?: Readonly<Record<string, number>>;
    }
  /** A person holds all agents, or lets them go on. */
  | { readonly type: 'host.paused'; readonly by: string }
  | { readonly type: 'host.unpaused'; readonly by: string }
  | { readonly type: 'slot.taken'; readonly attemptId: AttemptId; readonly runId: RunId }
  | { readonly type: 'slot.freed'; readonly attemptId: AttemptId }
  /** The new state of a line to a model's service; null = it has no limit. `by`: a person who said so. */
  | { readonly type: 'line.set'; readonly name: string; readonly line: Line | null; readonly by?: string }
  | ({ readonly type: 'account.quotaReported'; readonly account: string } & Allowance)
  /** `day`: by the user's local clock. */
  | { readonly type: 'day.spent'; readonly day: string; readonly parts: readonly ModelUsage[] }
  /** The running time of processes that ended on this day. */
  | { readonly type: 'day.ran'; readonly day: string; readonly ms: number }
  /** The budget of a day; an empty one = no limit. */
  | { readonly type: 'day.budget'; readonly budget: Budget; readonly by: string };
