// What a person is asked about a task: at a gate, when it has failed for good, or before its agent goes on after a crash.
// In which words, what is to be filled in, what holds when nobody answers in time, and what became of it.

import type { Failure } from '../core/failure.ts';
import type { AskId, TaskId } from '../core/ids.ts';
import type { Json, JsonObject } from '../core/json.ts';
import type { GateState } from '../core/states.ts';
import type { Text } from '../inputs/reference.ts';

/** Of a task of kind `gate`. */
export interface GateSpec {
  readonly message: Text;
  readonly shows: readonly Shown[];
  readonly form: readonly FormField[];
  /** null = it waits for ever. */
  readonly timeoutMs: number | null;
  readonly onTimeout: 'approve' | 'reject';
  /** Names of those who may decide; empty = anybody who may use this Signalbox. */
  readonly who: readonly string[];
}

/** `output`: what a task gave. `diff`: what has been integrated so far. `cost`: what was spent so far. */
export type Shown = { readonly kind: 'output'; readonly task: string } | { readonly kind: 'diff' | 'cost' };

export interface FormField {
  readonly name: string;
  readonly type: 'text' | 'number' | 'boolean' | 'choice';
  readonly label: string;
  /** Of a choice. */
  readonly options: readonly string[];
  readonly required: boolean;
  /** What holds where nothing is filled in; null = nothing. */
  readonly usual: Json;
}

/** The last one about its task. */
export interface Question extends Asked {
  readonly id: AskId;
  readonly openedAt: number;
  state: GateState;
  /** By whom it was decided and when; null = by nobody. */
  decision: (Answer & { readonly at: number }) | null;
  /** What holds, of a form that was filled in or whose time is over. */
  values: JsonObject | null;
}

export interface Asked {
  /** `gate`: shall it go on? `failure`: what now? `crash`: may its agent go on? `agent`: what its agent wants to know. */
  readonly topic: 'gate' | 'failure' | 'crash' | 'agent';
  /** With the values put in, bounded. */
  readonly message: string;
  /** What a person chooses from; empty where it is yes or no. */
  readonly choices: readonly string[];
  /** What it is about, where that is a failure. */
  readonly failure?: Failure;
}

/** `continue`: it stays failed, and all goes on that can without it. `stop`: the run stops for it. */
export type Choice = 'retry' | 'continue' | 'stop';

export interface Answer {
  readonly approved: boolean;
  readonly choice: string | null;
  readonly by: string;
  readonly message: string | null;
  /** What an agent asked, answered in words: neither chosen nor yes or no. */
  readonly words?: string;
}

export type QuestionEvent =
  | ({ readonly type: 'question.asked'; readonly askId: AskId; readonly taskId: TaskId } & Asked)
  | ({
      readonly type: 'question.answered';
      readonly askId: AskId;
      readonly taskId: TaskId;
      readonly values: JsonObject | null;
    } & Answer)
  /** Nobody decided it in time, or nobody needs the answer any more. `values`: what holds then. */
  | {
      readonly type: 'question.expired';
      readonly askId: AskId;
      readonly taskId: TaskId;
      readonly why: string;
      readonly values: JsonObject | null;
    };
