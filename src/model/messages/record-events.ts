// Events of input records: queued, encoded, written to a launch, delivered.

import type { AgentId, LaunchId, RecordId } from '../core/ids.ts';
import type { RecordBody } from './record-body.ts';

export type RecordEvent =
  | {
      readonly type: 'record.queued';
      readonly recordId: RecordId;
      readonly agentId: AgentId;
      readonly from: string;
      readonly body: RecordBody;
    }
  | {
      readonly type: 'record.written';
      readonly recordId: RecordId;
      readonly agentId: AgentId;
      readonly launchId: LaunchId;
      readonly end: number;
    }
  /** The part of the codec's state that the record carries: from here on it is always written in the same bytes. */
  | {
      readonly type: 'record.pinned';
      readonly recordId: RecordId;
      readonly agentId: AgentId;
      readonly launchId: LaunchId;
      readonly codec: string;
    }
  /** It cannot be written before the codec's state changes. `end`: the launch's opening records were written without it. */
  | {
      readonly type: 'record.deferred';
      readonly recordId: RecordId;
      readonly agentId: AgentId;
      readonly launchId: LaunchId;
      readonly end?: number;
    }
  | { readonly type: 'record.delivered'; readonly recordId: RecordId; readonly agentId: AgentId }
  /** The agent's own session contains it, so it is not written again. */
  | { readonly type: 'record.found'; readonly recordId: RecordId; readonly agentId: AgentId };
