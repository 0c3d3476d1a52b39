// The state of one run: a fold over its stream, kept with the indices that make each decision cheap.
// Changed by `evolve` alone. Everything here is derived from events and can be thrown away at any time.

import type { Agent } from './agent.ts';
import type { Attempt } from './attempt.ts';
import type { Budget, BudgetScope, Exhausted } from './budget.ts';
import type { Delivery } from './delivery.ts';
import type { Changed, RunOutcome, TaskOutcome } from './events.ts';
import type { Failure } from './failure.ts';
import { createHeap, type Heap } from './heap.ts';
import type { AgentId, AttemptId, GateId, LaunchId, TaskId } from './ids.ts';
import type { Json } from './json.ts';
import type { Misfit } from './misfit.ts';
import type { Remembered } from './permission.ts';
import type { Question } from './question.ts';
import type { CheckSpec, RunSpec, TaskSpec } from './spec.ts';
import type { RunState, TaskState } from './states.ts';
import { noUsage, type UsageTotal } from './usage.ts';

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
  /** What may be spent, as it is now; null = there is no limit. */
  budget: Budget | null;
  /** Whether any of its tasks has a budget. */
  budgeted: boolean;
  /** Whether the day has a budget. */
  dayLimited: boolean;
  /** Why the day has no more to give; null = it has. */
  dayExhausted: string | null;
  /** Whether time is what it has no more of. */
  dayTimed: boolean;
  /** Budgets that are used up and of which a person was told, by their scope. */
  exhausted: Map<string, ExhaustedBudget>;
  /** How many usages of unknown cost a person has put up with, by the scope of the budget that they set. */
  unknownAccepted: Map<string, number>;
  /** Decisions that hold for the rest of the run. */
  remembered: Remembered[];
  /** Where the run's branch is: what it started from, and since then all work that has landed. */
  head: string;
  /** The checks of all work on the branch, by their commands. */
  landedChecks: Map<string, CheckSpec>;
  /** The last time that its work was to go into a branch of the user's; null = it never was. */
  delivery: Delivery | null;
  /** Indices, rebuilt from the above when a snapshot is loaded. */
  unsettled: number;
  taskByName: Map<string, TaskId>;
  live: Map<AttemptId, Attempt>;
  liveByLaunch: Map<LaunchId, Attempt>;
  ready: Map<string, Heap<ReadyEntry>>;
  /** Ready tasks that wait for paths, and for whom. */
  waiting: Map<TaskId, ReadyEntry>;
  waitingFor: Map<TaskId, ReadyEntry[]>;
  delayed: Heap<DelayedEntry>;
  /** Tasks whose needs have ended and of which it is to be said what becomes of them. */
  undecided: Map<TaskId, Task>;
  /** Attempts whose work goes onto the branch, the next one first. */
  landing: Map<AttemptId, Attempt>;
  /** Live attempts that have no process and no slot, the first parked first. */
  parked: Map<AttemptId, Attempt>;
  /** Tasks about which a person is asked, the first asked first. */
  questions: Map<GateId, Task>;
  /** Ready tasks for which no budget could be set apart. */
  short: ReadyEntry[];
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
  /** When a person had it done again; 0 = never. What was found wrong before is looked at again. */
  forgivenAt: number;
  attempt: Attempt | null;
  /** The wait before the next attempt: from when, how long. */
  delay: { from: number; ms: number } | null;
  lastFailure: Failure | null;
  unmetNeeds: number;
  /** What it gave, once it has succeeded. Of a matrix what its tasks gave, in order. */
  output: Json;
  /** Attempts that ended because their work did not fit what had landed meanwhile. */
  conflicts: number;
  /** The last time that it did not fit; null = it never did not. */
  misfit: Misfit | null;
  /** Attempts that ended because evidence was missing, and that their authors remember. */
  sentBack: number;
  /** The last attempts that came to nothing: what the next one is told of them. */
  tried: readonly Tried[];
  /** What a person was asked about it last, and how often one was. */
  question: Question | null;
  questions: number;
  usage: UsageTotal;
  /** Of that what each model used. */
  usageOf: Record<string, UsageTotal>;
  /** The same for it and all that is below it. */
  treeUsage: UsageTotal;
  budget: Budget | null;
  treeBudget: Budget | null;
  /** Tasks that need this one; an index. */
  dependants: TaskId[];
  /** Of a matrix its tasks, in order, and how many have not ended; an index. */
  members: TaskId[];
  membersOpen: number;
}

export interface Tried {
  readonly n: number;
  readonly failure: Failure;
  /** What the agent said last. */
  readonly said: string;
  readonly changed: Changed;
  /** Where its work is; empty = nowhere. */
  readonly ref: string;
  readonly commit: string;
}

export interface ExhaustedBudget extends Exhausted {
  readonly scope: BudgetScope;
  readonly at: number;
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
    usage: noUsage(),
    budget: null,
    budgeted: false,
    dayLimited: false,
    dayExhausted: null,
    dayTimed: false,
    exhausted: new Map(),
    unknownAccepted: new Map(),
    remembered: [],
    head: '',
    landedChecks: new Map(),
    delivery: null,
    unsettled: 0,
    taskByName: new Map(),
    live: new Map(),
    liveByLaunch: new Map(),
    ready: new Map(),
    waiting: new Map(),
    waitingFor: new Map(),
    delayed: createHeap((a, b) => a.dueAt - b.dueAt || a.task.order - b.task.order),
    undecided: new Map(),
    landing: new Map(),
    parked: new Map(),
    questions: new Map(),
    short: [],
  };
}
