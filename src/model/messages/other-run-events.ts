// What can happen between two runs: that a person is asked and agrees or not, and letters that go from one to the other.

import type { GateId, LetterId, RunId, TaskId } from '../ids.ts';
import type { Letter } from './message.ts';

export type AcrossEvent =
  /** Written to another run. It waits there until a person has agreed. */
  | {
      readonly type: 'mail.outbound';
      readonly toRun: RunId;
      readonly runName: string;
      readonly toName: string;
      readonly letter: Letter;
      readonly seal?: string;
    }
  /** Once for both directions. */
  | {
      readonly type: 'consent.asked';
      readonly gateId: GateId;
      readonly taskId: TaskId;
      readonly withRun: RunId;
      readonly runName: string;
      readonly message: string;
    }
  /** `gateId`: null = it was said in the other run. */
  | {
      readonly type: 'consent.given';
      readonly gateId: GateId | null;
      readonly withRun: RunId;
      readonly runName: string;
      readonly approved: boolean;
      readonly by: string;
      readonly message: string | null;
      readonly decidedAt: number;
    }
  /** The other run has it. */
  | { readonly type: 'mail.posted'; readonly toRun: RunId; readonly n: number }
  /** They will not be read, and why. */
  | {
      readonly type: 'mail.returned';
      readonly toRun: RunId;
      readonly letters: readonly LetterId[];
      readonly why: string;
    };
