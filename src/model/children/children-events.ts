// What can happen between agents, of a run and of others: calls of their tools, letters, waiting, claims, progress.

import type { AgentId, AttemptId, LetterId, TaskId } from '../ids.ts';
import type { AcrossEvent } from '../messages/other-run-events.ts';
import type { Letter } from '../messages/message.ts';
import type { CrewLimit, CrewLimits } from './child-limits.ts';
import type { Waits } from './awaited.ts';

export type CrewEvent =
  | AcrossEvent
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
  | { readonly type: 'mail.sent'; readonly letter: Letter; readonly seal?: string }
  /** Nobody will read these: the task has ended. Their sender is told with the same append. */
  | { readonly type: 'mail.undelivered'; readonly taskId: TaskId; readonly letters: readonly LetterId[] }
  /** Letters that it has read by itself. */
  | { readonly type: 'mail.taken'; readonly attemptId: AttemptId; readonly letters: readonly LetterId[] }
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
  | { readonly type: 'limits.set'; readonly limits: Partial<CrewLimits>; readonly by: string }
  /** Told once, until it is changed. */
  | {
      readonly type: 'limit.reached';
      readonly limit: CrewLimit;
      readonly max: number;
      readonly taskId: TaskId;
      readonly detail: string;
    };
