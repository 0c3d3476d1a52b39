// What the journal remembers of an agent's session apart from the session itself, so that a new session can be started from it.
// Part of a run's state, written by the fold alone.

import type { ArtifactKind } from '../attempt/artifact-kinds.ts';
import type { ArtifactId, MessageId } from '../core/ids.ts';
import type { Handoff } from './handoff.ts';
import type { Filling, SessionEvent, TurnEnd } from './session-events.ts';

export interface Memory {
  /** Sessions before its present one: part of that one's id where we choose it. */
  sessionsBefore: number;
  /** How the last of them ended; null = there was none. */
  ended: 'lost' | 'handedOver' | null;
  /** How full its context was at the last report; null = never reported. */
  context: Filling | null;
  /** The context is filled beyond what its task allows. */
  filled: boolean;
  compaction: 'cannot' | 'can' | 'asked' | 'tried';
  /** How often this session was asked to hand over. */
  handoversAsked: number;
  /** This session has handed over. */
  handedOver: boolean;
  /** The handoffs of its sessions, the newest last. */
  handoffs: readonly GivenHandoff[];
  /** Its last words at the end of a turn that ended well. */
  said: string;
  /** The calls that were open when its last process ended. */
  inFlight: readonly string[];
  /** The newest artifacts stored of its work. */
  artifacts: readonly { readonly artifactId: ArtifactId; readonly kind: ArtifactKind }[];
  /** The last calls of our tools that had an effect. */
  calls: readonly AnsweredCall[];
  /** Messages that it took by itself since a turn ended well: it may not have read the answer. */
  taken: readonly MessageId[];
}

export interface AnsweredCall {
  readonly callId: string;
  readonly tool: string;
  readonly text: string;
  readonly isError: boolean;
  /** A turn has ended well since: the agent knows the answer. */
  readonly seen: boolean;
}

export type FillingEvent = Extract<SessionEvent, { readonly type: `context.${string}` }>;

export interface GivenHandoff {
  /** null = rebuilt from the journal. */
  readonly artifactId: ArtifactId | null;
  readonly handoff: Handoff;
}

export function noMemory(): Memory {
  return {
    sessionsBefore: 0,
    ended: null,
    context: null,
    filled: false,
    compaction: 'cannot',
    handoversAsked: 0,
    handedOver: false,
    handoffs: [],
    said: '',
    inFlight: [],
    artifacts: [],
    calls: [],
    taken: [],
  };
}

export function rememberTurn(memory: Memory, { turn, context }: TurnEnd): void {
  if (turn.kind === 'ok' && turn.text !== '') memory.said = turn.text;
  if (context !== undefined) memory.context = context;
  // Whether or not it compacted, its turn is over.
  if (memory.compaction === 'asked') memory.compaction = 'tried';
}

export function rememberFilling(memory: Memory, event: FillingEvent): void {
  if (event.type === 'context.filled') {
    memory.context = { tokens: event.tokens, window: event.window };
    memory.filled = true;
    if (memory.compaction === 'cannot' && event.compacts === true) memory.compaction = 'can';
  } else {
    memory.context = { tokens: event.tokensAfter, window: memory.context?.window ?? null };
    memory.filled = false;
    memory.compaction = 'cannot';
  }
}

export function rememberArtifact(memory: Memory, { artifactId, kind }: Memory['artifacts'][number]): void {
  memory.artifacts = [...memory.artifacts, { artifactId, kind }].slice(-artifactsMax);
}

const artifactsMax = 20;

/** Prepares for the next session: facts about the old session are reset, what the agent did is kept. */
export function forgetSession(memory: Memory, ended: 'lost' | 'handedOver'): void {
  memory.sessionsBefore += 1;
  memory.ended = ended;
  memory.context = null;
  memory.filled = false;
  memory.compaction = 'cannot';
  memory.handoversAsked = 0;
  memory.handedOver = false;
}
