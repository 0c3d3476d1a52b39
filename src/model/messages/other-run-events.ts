// Events between two runs: a person's consent, and messages from one to the other.

import type { MessageId, RunId } from '../core/ids.ts';
import type { Message } from './message.ts';

export type OtherRunEvent =
  /** A message to another run. It is held until a person has consented. */
  | {
      readonly type: 'message.outbound';
      readonly toRun: RunId;
      readonly runName: string;
      readonly toName: string;
      readonly message: Message;
      readonly seal?: string;
    }
  /** One consent for both directions. `here`: a person gave it in this run; false = in the other. */
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
  /** The other run has received it. */
  | { readonly type: 'message.posted'; readonly toRun: RunId; readonly n: number }
  /** They will not be read, and why. */
  | {
      readonly type: 'message.returned';
      readonly toRun: RunId;
      readonly messages: readonly MessageId[];
      readonly why: string;
    };
