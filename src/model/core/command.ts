// The inputs of a run: orders of people, facts of the world, and the passing of time. All plain data.

import type { StoredArtifact } from '../attempt/artifact.ts';
import type { IntegrateResult } from '../integrate/integration-queue.ts';
import type { LandingAsk, LandResult } from '../land/landing.ts';
import type { Message } from '../messages/message.ts';
import type { Consent } from '../messages/other-run.ts';
import type { Admission } from '../parking/admission.ts';
import type { AgentFact, Turn } from '../session/agent-fact.ts';
import type { Unfinished } from '../session/last-words.ts';
import type { Budget, BudgetScope, DayState } from '../spending/budget.ts';
import type { ChildLimits } from './child-limits.ts';
import type { Changed, EffectKind, EvidenceItem, ProcessName, RunEventBody, Rung } from './events.ts';
import type { CapReason } from './failure.ts';
import type { AskId, AttemptId, LaunchId, RecordId, RunId, TaskId } from './ids.ts';
import type { JsonObject } from './json.ts';
import type { PauseScope } from './pause.ts';
import type { RunSpec, TaskSpec } from './spec.ts';

export type Command =
  // Orders of people.
  | { readonly type: 'submit'; readonly run: RunSpec; readonly tasks: readonly TaskSpec[] }
  | { readonly type: 'stopRun'; readonly by: string }
  | { readonly type: 'stopTask'; readonly taskId: TaskId; readonly by: string }
  | { readonly type: 'interruptTask'; readonly taskId: TaskId; readonly by: string }
  | { readonly type: 'resumeRun'; readonly by: string }
  | { readonly type: 'removeRun'; readonly by: string }
  /** `host`: the engine's own, where all are paused. */
  | { readonly type: 'pauseRun'; readonly of: PauseScope; readonly by: string; readonly since?: number }
  | { readonly type: 'unpauseRun'; readonly of: PauseScope; readonly by: string }
  | { readonly type: 'retryTask'; readonly taskId: TaskId; readonly by: string }
  | {
      readonly type: 'send';
      readonly recordId: RecordId;
      readonly taskId: TaskId;
      readonly from: string;
      readonly text: string;
    }
  | {
      readonly type: 'answerAsk';
      readonly askId: AskId;
      /** The values of a form. */
      readonly values?: JsonObject;
      /** The choice, if the ask is more than yes or no. */
      readonly choice?: string | null;
      /** The answer to an agent's question, in words. */
      readonly words?: string | null;
      /**
       * Answers to the questions of an agent's own tool, one each, as they were typed; an empty one leaves its question
       * unanswered.
       */
      readonly answers?: readonly string[] | null;
      /** For an exhausted budget: the limits to raise. */
      readonly set?: Budget | null;
      readonly approved: boolean;
      readonly by: string;
      /** For an agent's ask a message to the agent, otherwise the reason. */
      readonly message: string | null;
      /** Whether a permission also holds for the same call, or for every call of the tool, in the rest of the run. */
      readonly remember: 'call' | 'tool' | null;
    }
  | { readonly type: 'setBudget'; readonly scope: BudgetScope; readonly budget: Budget; readonly by: string }
  | { readonly type: 'setLimits'; readonly limits: Partial<ChildLimits>; readonly by: string }
  /** `task`: land only its work and that of its needs. */
  | ({ readonly type: 'land'; readonly by: string; readonly task?: TaskId } & Omit<LandingAsk, 'tasks'>)
  // Commands of the engine itself: dispatch chose this task or attempt, or time passed.
  | ({ readonly type: 'start'; readonly taskId: TaskId; readonly host: string } & Admission)
  | ({ readonly type: 'goOn'; readonly attemptId: AttemptId; readonly host: string } & Admission)
  /** Its agent rests, and its process ends to make room for another. */
  | { readonly type: 'giveUp'; readonly attemptId: AttemptId }
  /** Its account's quota is exhausted, and the task does not wait for it. */
  | { readonly type: 'outOfQuota'; readonly taskId: TaskId; readonly detail: string }
  /** Whether the day has a budget and, if that is exhausted, a sentence that says so. */
  | ({ readonly type: 'day' } & DayState)
  /** Why the attempt may not launch on its account line; null = it may. */
  | { readonly type: 'lineSeen'; readonly attemptId: AttemptId; readonly closed: string | null }
  | { readonly type: 'tick' }
  // Between runs: a message from another run, and the result of delivering one.
  | {
      readonly type: 'receive';
      readonly from: RunId;
      readonly runName: string;
      /** Counted by the sender's run, without end. */
      readonly n: number;
      readonly consent: Consent;
      /** null: only a person's decision. */
      readonly message: Message | null;
    }
  | { readonly type: 'posted'; readonly toRun: RunId; readonly n: number; readonly refusal: string | null }
  // Facts of the world.
  | {
      readonly type: 'prepared';
      readonly attemptId: AttemptId;
      readonly path: string;
      readonly base: string;
      /** Remarks for people. */
      readonly notes?: readonly string[];
    }
  | { readonly type: 'launched'; readonly launchId: LaunchId; readonly process: ProcessName | null }
  | {
      readonly type: 'output';
      readonly launchId: LaunchId;
      /** The journalled offset these facts were read from: the fence against reading twice. */
      readonly from: number;
      readonly to: number;
      readonly codec: string;
      readonly facts: readonly AgentFact[];
      /** Records that answer the agent at once, by the rules of its harness. */
      readonly replies: readonly string[];
    }
  | { readonly type: 'written'; readonly launchId: LaunchId; readonly recordId: RecordId; readonly end: number }
  /** The record is about to be written and carries this part of the codec's state. */
  | { readonly type: 'pinned'; readonly launchId: LaunchId; readonly recordId: RecordId; readonly codec: string }
  /**
   * The codec's state at that offset did not allow the record yet. `end`: where the fixed beginning of a launch's input ends.
   */
  | {
      readonly type: 'deferred';
      readonly launchId: LaunchId;
      readonly recordId: RecordId;
      readonly offset: number;
      readonly end?: number;
    }
  /** The signal is about to be sent. */
  | { readonly type: 'signalled'; readonly launchId: LaunchId; readonly rung: Rung }
  /** A null status: contact is lost. `turn` is what the harness makes of the end if no line told. */
  | {
      readonly type: 'down';
      readonly launchId: LaunchId;
      readonly status: number | null;
      readonly turn: Turn | null;
      /** The open tool calls of the agent, in words. */
      readonly inFlight?: readonly string[];
      /** Its last words, if it was in the middle of a turn. */
      readonly unfinished?: Unfinished;
    }
  /** The process exceeds a cap of its task, or has stalled. */
  | { readonly type: 'exceeded'; readonly launchId: LaunchId; readonly reason: CapReason; readonly detail: string }
  /** Records that the agent's own session holds, looked up before its next process starts. */
  | {
      readonly type: 'found';
      readonly launchId: LaunchId;
      readonly recordIds: readonly RecordId[];
      /** The session no longer exists. */
      readonly missing: boolean;
    }
  | {
      readonly type: 'saved';
      readonly attemptId: AttemptId;
      readonly ref: string;
      readonly commit: string;
      readonly notes?: readonly string[];
      readonly changed?: Changed;
      readonly uncommitted?: number;
      /** The artifacts stored before this. */
      readonly artifacts?: readonly StoredArtifact[];
    }
  /** `from`: the journalled head of the branch when the integration started. */
  | { readonly type: 'integrated'; readonly from: string; readonly results: readonly IntegrateResult[] }
  | { readonly type: 'proved'; readonly attemptId: AttemptId; readonly items: readonly EvidenceItem[] }
  | { readonly type: 'landed'; readonly n: number; readonly result: LandResult }
  | { readonly type: 'landingFailed'; readonly n: number; readonly code: string; readonly message: string }
  | {
      readonly type: 'effectFailed';
      readonly attemptId: AttemptId;
      readonly effect: EffectKind;
      readonly code: string;
      readonly message: string;
    };

/** A refusal changes nothing and gives a reason. `stale`: a fact about something that is already over, dropped silently. */
export type Refusal =
  | { readonly kind: 'stale'; readonly reason: string }
  | { readonly kind: 'notAllowed'; readonly reason: string }
  | { readonly kind: 'unknown'; readonly reason: string };

export type Decision =
  | { readonly kind: 'decided'; readonly events: readonly RunEventBody[] }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

export function decided(events: readonly RunEventBody[]): Decision {
  return { kind: 'decided', events };
}

export function refused(kind: Refusal['kind'], reason: string): Decision {
  return { kind: 'refused', refusal: { kind, reason } };
}

/** For a fact about something that is already over. */
export function stale(what: string): Decision {
  return refused('stale', `${what} is past that`);
}
