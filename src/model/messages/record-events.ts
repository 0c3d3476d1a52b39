// What becomes of the input records of an agent: queued, fitted to the codec's state, written to a launch, taken up.

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
  /** What of the codec's state the record carries: from here on it is written in these bytes, however often. */
  | {
      readonly type: 'record.pinned';
      readonly recordId: RecordId;
      readonly agentId: AgentId;
      readonly launchId: LaunchId;
      readonly codec: string;
    }
  /** It cannot be written before the codec's state changes. `end`: what every launch begins with was written without it. */
  | {
      readonly type: 'record.deferred';
      readonly recordId: RecordId;
      readonly agentId: AgentId;
      readonly launchId: LaunchId;
      readonly end?: number;
    }
  | { readonly type: 'record.delivered'; readonly recordId: RecordId; readonly agentId: AgentId }
  /** The agent's own session holds it, so no further process is told again. */
  | { readonly type: 'record.found'; readonly recordId: RecordId; readonly agentId: AgentId };
