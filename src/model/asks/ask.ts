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
  /** Who answered what, and when; null = nobody has. */
  answer: (Answer & { readonly at: number }) | null;
  /** What holds, of a form that was filled in or whose time is over. */
  values: JsonObject | null;
}

export type AskSubject =
  | RequestSubject
  | TaskSubject
  /** May agents of two runs write to each other? `taskId`: the task whose agent was the first that wanted to. */
  | {
      readonly kind: 'consent';
      readonly taskId: TaskId;
      readonly withRun: RunId;
      readonly runName: string;
      readonly message: string;
    }
  /** Is there more to spend? */
  | ({ readonly kind: 'budget'; readonly scope: BudgetScope } & Exhausted);

/**
 * What an agent asks by its own protocol. `permission`: may it use a tool? `question`: what it wants to know by a question tool of
 * its own. It lives no longer than the process that asked.
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
 * About a task. `gate`: shall the plan go on? `question`: what its agent wants to know. `failure`, `conflict`: what follows it?
 * `crash`: may its agent go on?
 */
export interface TaskSubject {
  readonly kind: 'gate' | 'question' | 'failure' | 'conflict' | 'crash';
  readonly taskId: TaskId;
  /** With the values put in, bounded. */
  readonly message: string;
  /** What a person chooses from; empty where it is yes or no. */
  readonly choices: readonly string[];
  /** What it is about, where that is a failure. */
  readonly failure?: Failure;
}

export type TaskAsk = AskRecord & TaskSubject;

/** Of a failure. `continue`: the task stays failed, and all goes on that can without it. `stop`: the run stops for it. */
export type Choice = 'retry' | 'continue' | 'stop';

export interface Answer {
  readonly approved: boolean;
  readonly choice: string | null;
  readonly by: string;
  readonly message: string | null;
  /** An agent's question, answered in words: neither chosen nor yes or no. */
  readonly words?: string;
  /** To the questions of an agent's own tool, one each. */
  readonly answers?: readonly QuestionAnswer[];
  /** Whether a permission also holds for the same call, or for every call of the tool, in the rest of the run. */
  readonly remember?: 'call' | 'tool';
}

export type AskEvent =
  | ({ readonly type: 'ask.opened'; readonly askId: AskId } & AskSubject)
  | ({ readonly type: 'ask.answered'; readonly askId: AskId; readonly values: JsonObject | null } & Answer)
  /** Nobody answered in time, or nobody needs the answer any more. `values`: what holds then. */
  | {
      readonly type: 'ask.expired';
      readonly askId: AskId;
      readonly why: string;
      readonly values: JsonObject | null;
    };
