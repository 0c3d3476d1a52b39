// Events of an agent's session: it fills up, is compacted, hands over to a new one, or is resumed after its task had ended.

import type { AgentId, ArtifactId, AttemptId, RecordId, TaskId } from '../core/ids.ts';
import type { Turn } from './agent-fact.ts';
import type { Handoff } from './handoff.ts';
import type { Unfinished } from './last-words.ts';

export type SessionEvent =
  /** A person's message to an agent whose task had ended or was ending: the next attempt begins with it. */
  | ({ readonly type: 'session.steered'; readonly taskId: TaskId } & Steer)
  /** The next process begins a new session, in the same workspace, from the handoff. */
  | { readonly type: 'session.renewed'; readonly attemptId: AttemptId; readonly agentId: AgentId }
  /** The context is filled beyond what the task allows. Raised once, until it is compacted or another session begins. */
  | ({ readonly type: 'context.filled'; readonly attemptId: AttemptId; readonly agentId: AgentId } & Filled)
  | ({ readonly type: 'context.compacted'; readonly attemptId: AttemptId; readonly agentId: AgentId } & Compaction)
  /** The agent was asked to hand over, for the first time or again. */
  | { readonly type: 'handoff.asked'; readonly attemptId: AttemptId; readonly agentId: AgentId }
  /** `artifactId`: the whole handoff. null = the agent gave none, and this one is rebuilt from the journal. */
  | {
      readonly type: 'handoff.given';
      readonly attemptId: AttemptId;
      readonly agentId: AgentId;
      readonly artifactId: ArtifactId | null;
      readonly handoff: Handoff;
    };

/** Of a process that ended in the middle of a turn: the open calls and the last words. */
export interface BrokenOff {
  readonly inFlight?: readonly string[];
  readonly unfinished?: Unfinished;
}

export interface TurnEnd {
  readonly turn: Turn;
  /** Left out = not reported. */
  readonly context?: Filling;
}

export interface Steer {
  readonly recordId: RecordId;
  readonly from: string;
  readonly text: string;
}

/** How full a context window was at the last request; a window of null = its size is unknown. */
export interface Filling {
  readonly tokens: number;
  readonly window: number | null;
}

export interface Filled extends Filling {
  /** The harness can make the agent compact. */
  readonly compacts?: true;
}

export interface Compaction {
  readonly trigger: string;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
}
