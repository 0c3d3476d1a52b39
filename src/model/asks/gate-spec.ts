// What a gate of a plan asks: in which words, what is shown with it, what is to be filled in, and what holds when nobody answers in time.

import type { Json } from '../core/json.ts';
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
