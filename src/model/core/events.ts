// All events, as one flat union per kind of stream. An event is past tense and complete: folding it needs no clock and no look
// at the world. A changed shape is a new version (see format.ts).

import type { AskEvent } from '../asks/ask.ts';
import type { EvidenceItem } from '../attempt/evidence-item.ts';
import type { ResultEvent } from '../attempt/result-events.ts';
import type { ChildrenEvent } from '../children/children-events.ts';
import type { LandingEvent } from '../land/landing.ts';
import type { RecordEvent } from '../messages/record-events.ts';
import type { Admission, ParkReason } from '../parking/admission.ts';
import type { Allowance, Limited } from '../session/agent-fact.ts';
import type { BrokenOff, SessionEvent, TurnEnd } from '../session/session-events.ts';
import type { Budget, BudgetScope, DayState } from '../spending/budget.ts';
import type { ModelUsage } from '../spending/usage.ts';
import type { TeamEvent } from '../teams/team-events.ts';
import type { Failure, FailureReason } from './failure.ts';
import type { AgentId, AttemptId, LaunchId, TaskId } from './ids.ts';
import type { Json } from './json.ts';
import type { PauseEvent } from './pause.ts';
import type { RunSpec, TaskSpec } from './spec.ts';

export type { EvidenceItem } from '../attempt/evidence-item.ts';

export type RunEvent = { readonly at: number } & RunEventBody;

export type RunEventBody =
  | AskEvent
  | RecordEvent
  | ResultEvent
  | LandingEvent
  | ChildrenEvent
  | SessionEvent
  | TeamEvent
  | PauseEvent
  | { readonly type: 'run.created'; readonly run: RunSpec }
  | { readonly type: 'run.stopAsked'; readonly by: string }
  | { readonly type: 'run.ended'; readonly outcome: RunOutcome }
  | { readonly type: 'run.resumed'; readonly by: string }
  /** The last event of its stream: what the run left on the disk is removed. */
  | { readonly type: 'run.removed'; readonly by: string }
  | { readonly type: 'task.added'; readonly task: TaskSpec }
  | { readonly type: 'task.delayed'; readonly taskId: TaskId; readonly delayMs: number }
  | { readonly type: 'task.due'; readonly taskId: TaskId }
  | { readonly type: 'task.ended'; readonly taskId: TaskId; readonly outcome: TaskOutcome }
  /** `resumes`: its next attempt continues the session and the work of the last one. */
  | { readonly type: 'task.reopened'; readonly taskId: TaskId; readonly resumes?: boolean }
  /** Its needs have ended and its condition holds. */
  | { readonly type: 'task.opened'; readonly taskId: TaskId }
  /** A matrix becomes its tasks, which join next. */
  | { readonly type: 'task.expanded'; readonly taskId: TaskId }
  /** A task of a matrix, with only what differs from the matrix: a matrix of ten thousand is ten thousand short events. */
  | {
      readonly type: 'task.joined';
      readonly taskId: TaskId;
      readonly matrix: TaskId;
      readonly name: string;
      readonly item: Json;
    }
  | ({
      readonly type: 'attempt.started';
      readonly attemptId: AttemptId;
      readonly taskId: TaskId;
      readonly n: number;
      readonly agentId: AgentId;
      readonly host: string;
      /** The attempt whose agent and work it continues. */
      readonly continues?: AttemptId;
      /** It continues with the agent only, and starts from the branch's head. */
      readonly onHead?: true;
      /** Why it continues or begins from scratch, if a rule decided that. */
      readonly why?: string;
    } & Admission)
  | { readonly type: 'agent.created'; readonly agentId: AgentId; readonly taskId: TaskId; readonly name: string }
  | { readonly type: 'agent.session'; readonly agentId: AgentId; readonly session: string }
  | { readonly type: 'agent.sessionLost'; readonly agentId: AgentId }
  | {
      readonly type: 'workspace.ready';
      readonly attemptId: AttemptId;
      readonly path: string;
      readonly base: string;
      /** Remarks about surprises, in sentences. */
      readonly notes?: readonly string[];
    }
  | {
      readonly type: 'workspace.saved';
      readonly attemptId: AttemptId;
      readonly ref: string;
      readonly commit: string;
      readonly notes?: readonly string[];
      readonly changed?: Changed;
      /** How many paths its agent had left uncommitted: they were saved too. */
      readonly uncommitted?: number;
    }
  | {
      readonly type: 'launch.intended';
      readonly launchId: LaunchId;
      readonly attemptId: AttemptId;
      readonly resume: boolean;
    }
  | { readonly type: 'launch.started'; readonly launchId: LaunchId; readonly process: ProcessName | null }
  | { readonly type: 'launch.read'; readonly launchId: LaunchId; readonly offset: number; readonly codec: string }
  | { readonly type: 'launch.signalled'; readonly launchId: LaunchId; readonly rung: Rung }
  /** With the agent's open tool calls, in its own words. */
  | ({ readonly type: 'launch.ended'; readonly launchId: LaunchId; readonly status: number } & BrokenOff)
  | ({ readonly type: 'launch.lost'; readonly launchId: LaunchId } & BrokenOff)
  /** It holds no slot until it continues: its process has ended, or waits for a person. Its workspace and session stay. */
  | { readonly type: 'attempt.parked'; readonly attemptId: AttemptId; readonly why: ParkReason }
  | ({ readonly type: 'attempt.unparked'; readonly attemptId: AttemptId } & Admission)
  /** The agent's turn will be ended at its next tool round. */
  | { readonly type: 'attempt.braked'; readonly attemptId: AttemptId; readonly why: ParkReason }
  /** The model's service refused a request. */
  | ({ readonly type: 'attempt.limited'; readonly attemptId: AttemptId } & Limited)
  /** What the agent reported of its account's allowance. */
  | ({ readonly type: 'attempt.quotaReported'; readonly attemptId: AttemptId } & Allowance)
  /** The model has answered again after a limit. */
  | { readonly type: 'attempt.served'; readonly attemptId: AttemptId }
  | ({ readonly type: 'usage.recorded'; readonly agentId: AgentId; readonly taskId: TaskId } & ModelUsage)
  /** The usage of the session so far; what is not recorded yet belongs to the unfinished turn. */
  | { readonly type: 'usage.metered'; readonly agentId: AgentId; readonly parts: readonly ModelUsage[] }
  /** The new budget in all. Usage of unknown cost up to now is accepted with it. */
  | { readonly type: 'budget.set'; readonly scope: BudgetScope; readonly budget: Budget; readonly by: string }
  /** Whether the day has a budget and, if that is exhausted, a sentence that says so. */
  | ({ readonly type: 'budget.day' } & DayState)
  /** Why the attempt may not launch on its account line; null = it may. Recorded before each launch. */
  | { readonly type: 'attempt.lineSeen'; readonly attemptId: AttemptId; readonly closed: string | null }
  | ({ readonly type: 'turn.ended'; readonly agentId: AgentId; readonly attemptId: AttemptId } & TurnEnd)
  | { readonly type: 'stop.asked'; readonly attemptId: AttemptId; readonly reason: StopReason; readonly detail: string }
  | { readonly type: 'attempt.finished'; readonly attemptId: AttemptId; readonly verdict: Verdict }
  | { readonly type: 'evidence.recorded'; readonly attemptId: AttemptId; readonly items: readonly EvidenceItem[] }
  | { readonly type: 'attempt.ended'; readonly attemptId: AttemptId; readonly verdict: Verdict }
  | {
      readonly type: 'effect.failed';
      readonly attemptId: AttemptId;
      readonly effect: EffectKind;
      readonly code: string;
      readonly message: string;
    };

/** partial: some tasks succeeded and some did not, and no person stopped the run. */
export type RunOutcome = 'succeeded' | 'partial' | 'failed' | 'stopped';

export type TaskOutcome =
  /** An empty commit: the task kept no work. */
  | { readonly kind: 'succeeded'; readonly commit: string }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | { readonly kind: 'stopped' }
  /** A task that it needs did not succeed. */
  | { readonly kind: 'skipped'; readonly because: TaskId }
  /** Its condition does not hold or, with `because`, that of a task it needs does not. This is no failure. */
  | { readonly kind: 'omitted'; readonly because: TaskId | null };

/** `finished`: the agent has no more to do. `parked`: it continues later. Every other reason is a failure. */
export type StopReason = 'finished' | 'parked' | FailureReason;

export type Verdict = { readonly kind: 'ok' } | { readonly kind: 'failed'; readonly failure: Failure };

/** What an attempt changed: some of the paths, and their total number. */
export interface Changed {
  readonly paths: readonly string[];
  readonly total: number;
}

/** A process is named by boot, pid and start time: a pid alone may belong to another process by now. */
export interface ProcessName {
  readonly bootId: string;
  readonly pid: number;
  readonly start: string;
}

export const rungs = ['term', 'kill'] as const;
export type Rung = (typeof rungs)[number];

export const effectKinds = ['prepare', 'launch', 'watch', 'write', 'signal', 'save', 'prove', 'integrate'] as const;
export type EffectKind = (typeof effectKinds)[number];
