// What can happen to an agent's conversation: it fills up, is compacted, is handed over to a new one, or is taken up again
// after its task had ended.

import type { AgentId, ArtifactId, AttemptId, RecordId, TaskId } from '../core/ids.ts';
import type { Turn } from './agent-fact.ts';
import type { Handoff } from './handoff.ts';
import type { Unfinished } from './last-words.ts';

export type SessionEvent =
  /** A person said this to an agent whose task had ended or was ending: the next attempt begins with it. */
  | ({ readonly type: 'session.steered'; readonly taskId: TaskId } & Steer)
  /** The next process begins a new session, in the same workspace, from what was handed over. */
  | { readonly type: 'session.renewed'; readonly attemptId: AttemptId; readonly agentId: AgentId }
  /** It is filled beyond what its task allows. Told once, until it is compacted or another session begins. */
  | ({ readonly type: 'context.filled'; readonly attemptId: AttemptId; readonly agentId: AgentId } & Filled)
  | ({ readonly type: 'context.compacted'; readonly attemptId: AttemptId; readonly agentId: AgentId } & Compaction)
  /** The agent was told to hand over: the first time, or once more. */
  | { readonly type: 'handoff.asked'; readonly attemptId: AttemptId; readonly agentId: AgentId }
  /** `artifactId`: the whole of it. null = its agent gave none, and this is what the record knows. */
  | {
      readonly type: 'handoff.given';
      readonly attemptId: AttemptId;
      readonly agentId: AgentId;
      readonly artifactId: ArtifactId | null;
      readonly handoff: Handoff;
    };

/** Of a process that ended in the middle of a turn: the calls that were under way, and what was said last. */
export interface BrokenOff {
  readonly inFlight?: readonly string[];
  readonly unfinished?: Unfinished;
}

export interface TurnEnd {
  readonly turn: Turn;
  /** Left out = it was not told. */
  readonly context?: Filling;
}

export interface Steer {
  readonly recordId: RecordId;
  readonly from: string;
  readonly text: string;
}

/** How full a context window was at the last request; a window of null = nobody told how large it is. */
export interface Filling {
  readonly tokens: number;
  readonly window: number | null;
}

export interface Filled extends Filling {
  /** Its harness can tell it to compact. */
  readonly compacts?: true;
}

export interface Compaction {
  readonly trigger: string;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
}
