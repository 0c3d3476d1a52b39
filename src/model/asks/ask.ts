// An ask is anything that waits for a person. One shape for every kind: it is opened, then answered once or expired.

import type { Failure } from '../core/failure.ts';
import type { AskId, AttemptId, RunId, TaskId } from '../core/ids.ts';
import type { JsonObject } from '../core/json.ts';
import type { AskState } from '../core/states.ts';
import type { BudgetScope, Exhausted } from '../spending/budget.ts';
import type { PermissionRequest } from './permission.ts';
import type { QuestionAnswer } from './question.ts';

export type Ask = AskRecord & AskSubject;
export type AskOf<Kind extends AskSubject['kind']> = AskRecord & Extract<AskSubject, { kind: Kind }>;

interface AskRecord {
  readonly id: AskId;
  readonly openedAt: number;
  state: AskState;
  /** Who answered what, and when; null = it is not answered. */
  answer: (Answer & { readonly at: number }) | null;
  /** The values of a form that was filled in or whose time is over. */
  values: JsonObject | null;
}

export type AskSubject =
  | RequestSubject
  | TaskSubject
  /** May agents of two runs write to each other? `taskId`: the task whose agent wanted to first. */
  | {
      readonly kind: 'consent';
      readonly taskId: TaskId;
      readonly withRun: RunId;
      readonly runName: string;
      readonly message: string;
    }
  /** May more be spent? */
  | ({ readonly kind: 'budget'; readonly scope: BudgetScope } & Exhausted);

/**
 * A request by the agent's own protocol. `permission`: may it use a tool? `question`: a question by a question tool of its own.
 * It lives no longer than the process that asked.
 */
export interface RequestSubject {
  readonly kind: 'permission' | 'question';
  readonly attemptId: AttemptId;
  request: PermissionRequest;
}

export type RequestAsk = AskRecord & RequestSubject;

export function isRequest(ask: Ask): ask is RequestAsk {
  return 'attemptId' in ask;
}

/**
 * About a task. `gate`: shall the plan continue? `question`: a question of its agent. `failure`, `conflict`: what to do about
 * it? `crash`: may its agent continue?
 */
export interface TaskSubject {
  readonly kind: 'gate' | 'question' | 'failure' | 'conflict' | 'crash';
  readonly taskId: TaskId;
  /** With references resolved; bounded. */
  readonly message: string;
  /** The choices; empty = yes or no. */
  readonly choices: readonly string[];
  /** The failure that it is about, if any. */
  readonly failure?: Failure;
}

export type TaskAsk = AskRecord & TaskSubject;

/**
 * Choices for a failure. `continue`: the task stays failed, and everything continues that can without it. `stop`: the run
 * stops.
 */
export type Choice = 'retry' | 'continue' | 'stop';

export interface Answer {
  readonly approved: boolean;
  readonly choice: string | null;
  readonly by: string;
  readonly message: string | null;
  /** The answer to an agent's question in words, neither a choice nor yes or no. */
  readonly words?: string;
  /** Answers to the questions of an agent's own tool, one each. */
  readonly answers?: readonly QuestionAnswer[];
  /** Whether a permission also holds for the same call, or for every call of the tool, in the rest of the run. */
  readonly remember?: 'call' | 'tool';
}

export type AskEvent =
  | ({ readonly type: 'ask.opened'; readonly askId: AskId } & AskSubject)
  | ({ readonly type: 'ask.answered'; readonly askId: AskId; readonly values: JsonObject | null } & Answer)
  /** The time is over, or the answer is no longer needed. `values`: those that count then. */
  | {
      readonly type: 'ask.expired';
      readonly askId: AskId;
      readonly why: string;
      readonly values: JsonObject | null;
    };
