// What can happen between two runs: that a person is asked and agrees or not, and messages that go from one to the other.

import type { MessageId, RunId } from '../core/ids.ts';
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
  /** Once for both directions. `here`: a person said it in this run; false = in the other. */
  | {
      readonly type: 'consent.given';
      readonly here: boolean;
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
