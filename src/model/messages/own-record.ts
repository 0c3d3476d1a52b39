// Input records that Signalbox itself writes to an agent. Numbered within the attempt, so that deciding twice gives the same
// id.

import type { Attempt } from '../core/attempt.ts';
import type { RunEventBody } from '../core/events.ts';
import { ownRecordId } from '../core/ids.ts';
import type { RecordBody } from './record-body.ts';

/** `toldBefore`: how many such records the same decision has queued already. */
export function ownRecord(
  { id, agentId, ownRecords }: Pick<Attempt, 'id' | 'agentId' | 'ownRecords'>,
  body: RecordBody,
  toldBefore = 0,
): RunEventBody {
  const recordId = ownRecordId(id, ownRecords + toldBefore + 1);
  return { type: 'record.queued', recordId, agentId, from: 'signalbox', body };
}
