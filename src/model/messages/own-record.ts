// What Signalbox says to an agent by itself. Numbered within the attempt, so that deciding twice names the same message.

import type { Attempt } from '../core/attempt.ts';
import type { RunEventBody } from '../core/events.ts';
import { ownRecordId } from '../core/ids.ts';
import type { RecordBody } from './record-body.ts';

/** `toldBefore` counts messages of ours that the same decision has queued already. */
export function ownRecord(
  { id, agentId, ownRecords }: Pick<Attempt, 'id' | 'agentId' | 'ownRecords'>,
  body: RecordBody,
  toldBefore = 0,
): RunEventBody {
  const recordId = ownRecordId(id, ownRecords + toldBefore + 1);
  return { type: 'record.queued', recordId, agentId, from: 'signalbox', body };
}
