// An agent of a run and its mail: it outlives the processes and attempts that it works in. Part of a run's state, changed by the
// fold alone.

import type { AgentId, MessageId, TaskId } from './ids.ts';
import type { MessageBody } from './message-body.ts';
import type { MessageState } from './states.ts';
import type { ModelUsage } from './usage.ts';

export interface Agent {
  readonly id: AgentId;
  readonly taskId: TaskId;
  readonly name: string;
  session: string | null;
  /** What its session has used in all by its own record, and how much of that is in the books. */
  metered: readonly ModelUsage[];
  settled: readonly ModelUsage[];
  /** Messages not yet delivered, in order. */
  mail: Message[];
}

export interface Message {
  readonly id: MessageId;
  readonly from: string;
  readonly body: MessageBody;
  state: MessageState;
}
