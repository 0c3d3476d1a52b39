// What can happen between agents, of a run and of others: calls of their tools, messages, waiting, claims, progress.

import type { ChildLimit, ChildLimits } from '../core/child-limits.ts';
import type { AgentId, AttemptId, MessageId, TaskId } from '../core/ids.ts';
import type { Message } from '../messages/message.ts';
import type { OtherRunEvent } from '../messages/other-run-events.ts';
import type { Waits } from './awaited.ts';

export type ChildrenEvent =
  | OtherRunEvent
  /** An agent called a tool of ours: with what, and what it was answered. */
  | {
      readonly type: 'call.answered';
      readonly attemptId: AttemptId;
      readonly agentId: AgentId;
      readonly callId: string;
      readonly tool: string;
      readonly input: string;
      readonly isError: boolean;
      readonly text: string;
      /** Since its last call it has done something else than to talk, or does so by this one. */
      readonly worked?: boolean;
    }
  | { readonly type: 'message.sent'; readonly message: Message; readonly seal?: string }
  /** Nobody will read these: the task has ended. Their sender is told with the same append. */
  | { readonly type: 'message.undelivered'; readonly taskId: TaskId; readonly messages: readonly MessageId[] }
  /** Messages that it has read by itself. */
  | { readonly type: 'message.taken'; readonly attemptId: AttemptId; readonly messages: readonly MessageId[] }
  /** From the end of its turn on it has nothing to do until then. */
  | { readonly type: 'attempt.waiting'; readonly attemptId: AttemptId; readonly waits: Waits }
  /** All that it holds now, besides what its task declares. */
  | { readonly type: 'paths.claimed'; readonly attemptId: AttemptId; readonly paths: readonly string[] }
  | {
      readonly type: 'progress.told';
      readonly taskId: TaskId;
      readonly line: string;
      readonly fraction: number | null;
    }
  /** A person changed these; the others stay. */
  | { readonly type: 'limits.set'; readonly limits: Partial<ChildLimits>; readonly by: string }
  /** Told once, until it is changed. */
  | {
      readonly type: 'limit.reached';
      readonly limit: ChildLimit;
      readonly max: number;
      readonly taskId: TaskId;
      readonly detail: string;
    };
