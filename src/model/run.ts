// The state of one run: a fold over its stream, kept with the indices that make each decision cheap.
// Changed by `evolve` alone. Everything here is derived from events and can be thrown away at any time.

import type { Turn, UsageTotal } from './agent-fact.ts';
import type {
  EffectKind,
  EvidenceItem,
  GateDecision,
  MessageBody,
  ProcessName,
  Rung,
  RunOutcome,
  StopReason,
  TaskOutcome,
  Verdict,
} from './events.ts';
import type { Failure } from './failure.ts';
import { createHeap, type Heap } from './heap.ts';
import type { AgentId, AttemptId, GateId, LaunchId, MessageId, TaskId } from './ids.ts';
import type { Json } from './json.ts';
import type { Ask, Remembered } from './permission.ts';
import type { RunSpec, TaskSpec } from './spec.ts';
import type {
  AttemptState,
  GateState,
  LaunchState,
  MessageState,
  RunState,
  TaskState,
  WorkspaceState,
} from './states.ts';

export interface Run {
  spec: RunSpec | null;
  /** Sequence number of the last event folded in: the fence of the next append. */
  seq: number;
  state: RunState;
  outcome: RunOutcome | null;
  createdAt: number;
  settledAt: number | null;
  stopAskedBy: string | null;
  tasks: Map<TaskId, Task>;
  agents: Map<AgentId, Agent>;
  usage: UsageTotal;
  /** Decisions that hold for the rest of the run. */
  remembered: Remembered[];
  /** Indices, rebuilt from the above when a snapshot is loaded. */
  unsettled: number;
  taskByName: Map<string, TaskId>;
  live: Map<AttemptId, Attempt>;
  liveByLaunch: Map<LaunchId, Attempt>;
  ready: Heap<ReadyEntry>;
  /** Ready tasks that wait for paths, and for whom. */
  waiting: Map<TaskId, ReadyEntry>;
  waitingFor: Map<TaskId, ReadyEntry[]>;
  delayed: Heap<DelayedEntry>;
}

export interface Task {
  readonly spec: TaskSpec;
  /** Position in the order of adding: the tie-breaker that makes dispatch deterministic. */
  readonly order: number;
  state: TaskState;
  outcome: TaskOutcome | null;
  /** All attempts ever made, and how many of them do not count because the task was reopened since. */
  attempts: number;
  attemptsForgiven: number;
  attempt: Attempt | null;
  /** The wait before the next attempt: from when, how long. */
  delay: { from: number; ms: number } | null;
  lastFailure: Failure | null;
  unmetNeeds: number;
  /** What it gave, once it has succeeded. Of a matrix what its tasks gave, in order. */
  output?: Json;
  usage: UsageTotal;
  /** Tasks that need this one; an index. */
  dependants: TaskId[];
}

export interface Attempt {
  readonly id: AttemptId;
  readonly taskId: TaskId;
  readonly n: number;
  readonly agentId: AgentId;
  readonly host: string;
  readonly startedAt: number;
  state: AttemptState;
  workspace: Workspace;
  launches: number;
  launch: Launch | null;
  /** How many messages Signalbox itself has put into this attempt: names the next one. */
  ownMessages: number;
  /** What its agent has asked of people, all of it while the attempt lives. */
  gates: Gate[];
  turn: Turn | null;
  stop: { reason: StopReason; detail: string; at: number } | null;
  verdict: Verdict | null;
  evidence: readonly EvidenceItem[] | null;
  /** Effects that failed, each with how often in a row; gone when it succeeds. */
  failing: Partial<Record<EffectKind, Failing>>;
}

export interface Gate {
  readonly id: GateId;
  readonly openedAt: number;
  ask: Ask;
  state: GateState;
  decision: GateDecision | null;
}

export interface Failing {
  times: number;
  at: number;
  message: string;
}

export interface Workspace {
  state: WorkspaceState;
  path: string;
  base: string;
  ref: string;
  commit: string;
  /** What was said of it when it was made and saved. */
  notes: readonly string[];
}

export interface Launch {
  readonly id: LaunchId;
  readonly resume: boolean;
  readonly intendedAt: number;
  state: LaunchState;
  startedAt: number | null;
  process: ProcessName | null;
  /** Bytes of `out` whose facts are in the journal, and the codec's state there. */
  offset: number;
  codec: string | null;
  /** Bytes of `in` that are known to be written. */
  written: number;
  signalled: { rung: Rung; at: number } | null;
}

export interface Agent {
  readonly id: AgentId;
  readonly taskId: TaskId;
  readonly name: string;
  session: string | null;
  /** Messages not yet delivered, in order. */
  mail: Message[];
}

export interface Message {
  readonly id: MessageId;
  readonly from: string;
  readonly body: MessageBody;
  state: MessageState;
}

export interface ReadyEntry {
  readonly task: Task;
  readonly priority: number;
  readonly order: number;
}

export interface DelayedEntry {
  readonly task: Task;
  readonly dueAt: number;
}

export function emptyRun(): Run {
  return {
    spec: null,
    seq: 0,
    state: 'running',
    outcome: null,
    createdAt: 0,
    settledAt: null,
    stopAskedBy: null,
    tasks: new Map(),
    agents: new Map(),
    usage: {
      inputTokens: 0,
      outputTokens: 0,
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
      costMicroUsd: 0,
      unknownCosts: 0,
    },
    remembered: [],
    unsettled: 0,
    taskByName: new Map(),
    live: new Map(),
    liveByLaunch: new Map(),
    ready: createHeap((a, b) => b.priority - a.priority || a.order - b.order),
    waiting: new Map(),
    waitingFor: new Map(),
    delayed: createHeap((a, b) => a.dueAt - b.dueAt || a.task.order - b.task.order),
  };
}
