// What Signalbox says to an agent by itself. Numbered within the attempt, so that deciding twice names the same message.

import type { Attempt } from '../attempt/attempt.ts';
import type { RunEventBody } from '../events.ts';
import { ownMessageId } from '../ids.ts';
import type { MessageBody } from './record-body.ts';

/** `toldBefore` counts messages of ours that the same decision has queued already. */
export function ownMessage(
  { id, agentId, ownMessages }: Pick<Attempt, 'id' | 'agentId' | 'ownMessages'>,
  body: MessageBody,
  toldBefore = 0,
): RunEventBody {
  const messageId = ownMessageId(id, ownMessages + toldBefore + 1);
  return { type: 'message.queued', messageId, agentId, from: 'signalbox', body };
}
