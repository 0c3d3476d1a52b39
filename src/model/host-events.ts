// What happens to a host: a stream of its own, because runs share it and it outlives them.

import type { AttemptId, RunId } from './ids.ts';

export type HostEvent = { readonly at: number } & HostEventBody;

export type HostEventBody =
  /** `harnessSlots`: of these slots how many agents of one harness may have. */
  | {
      readonly type: 'host.configured';
      readonly slots: number;
      readonly harnessSlots?: Readonly<Record<string, number>>;
    }
  | { readonly type: 'slot.taken'; readonly attemptId: AttemptId; readonly runId: RunId }
  | { readonly type: 'slot.freed'; readonly attemptId: AttemptId };
