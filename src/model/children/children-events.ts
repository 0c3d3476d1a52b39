// Events between agents, within a run and across runs: tool calls, messages, waits, claims, progress.

import type { ChildLimit, ChildLimits } from '../core/child-limits.ts';
import type { AgentId, AttemptId, MessageId, TaskId } from '../core/ids.ts';
import type { Message } from '../messages/message.ts';
import type { OtherRunEvent } from '../messages/other-run-events.ts';
import type { Waits } from './awaited.ts';

export type ChildrenEvent =
  | OtherRunEvent
  /** An agent called one of Signalbox's tools: the arguments and the answer. */
  | {
      readonly type: 'call.answered';
      readonly attemptId: AttemptId;
      readonly agentId: AgentId;
      readonly callId: string;
      readonly tool: string;
      readonly input: string;
      readonly isError: boolean;
      readonly text: string;
      /** The agent has done other work than messaging since its last call, or does so by this one. */
      readonly worked?: boolean;
    }
  | { readonly type: 'message.sent'; readonly message: Message; readonly seal?: string }
  /** These messages will not be read because the task has ended. Their senders are told in the same append. */
  | { readonly type: 'message.undelivered'; readonly taskId: TaskId; readonly messages: readonly MessageId[] }
  /** Messages that the agent read with `read_inbox`. */
  | { readonly type: 'message.taken'; readonly attemptId: AttemptId; readonly messages: readonly MessageId[] }
  /** From the end of its turn the agent waits for this. */
  | { readonly type: 'attempt.waiting'; readonly attemptId: AttemptId; readonly waits: Waits }
  /** All its claims now, besides its task's write-set. */
  | { readonly type: 'paths.claimed'; readonly attemptId: AttemptId; readonly paths: readonly string[] }
  | {
      readonly type: 'progress.reported';
      readonly taskId: TaskId;
      readonly line: string;
      readonly fraction: number | null;
    }
  /** A person changed these; the others stay. */
  | { readonly type: 'limits.set'; readonly limits: Partial<ChildLimits>; readonly by: string }
  /** Reported once, until the limit is changed. */
  | {
      readonly type: 'limit.reached';
      readonly limit: ChildLimit;
      readonly max: number;
      readonly taskId: TaskId;
      readonly detail: string;
    };
