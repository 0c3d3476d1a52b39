// What can happen between two runs: that a person is asked and agrees or not, and messages that go from one to the other.

import type { AskId, MessageId, RunId, TaskId } from '../core/ids.ts';
import type { Message } from './message.ts';

export type OtherRunEvent =
  /** Written to another run. It waits there until a person has agreed. */
  | {
      readonly type: 'message.outbound';
      readonly toRun: RunId;
      readonly runName: string;
      readonly toName: string;
      readonly message: Message;
      readonly seal?: string;
    }
  /** Once for both directions. */
  | {
      readonly type: 'consent.asked';
      readonly askId: AskId;
      readonly taskId: TaskId;
      readonly withRun: RunId;
      readonly runName: string;
      readonly message: string;
    }
  /** `askId`: null = it was said in the other run. */
  | {
      readonly type: 'consent.given';
      readonly askId: AskId | null;
      readonly withRun: RunId;
      readonly runName: string;
      readonly approved: boolean;
      readonly by: string;
      readonly message: string | null;
      readonly decidedAt: number;
    }
  /** The other run has it. */
  | { readonly type: 'message.posted'; readonly toRun: RunId; readonly n: number }
  /** They will not be read, and why. */
  | {
      readonly type: 'message.returned';
      readonly toRun: RunId;
      readonly messages: readonly MessageId[];
      readonly why: string;
    };
