// What a gate of a plan asks: its message, what is shown with it, its form, and what counts when nobody answers in time.

import type { Json } from '../core/json.ts';
import type { Text } from '../inputs/reference.ts';

/** The gate of a task of kind `gate`. */
export interface GateSpec {
  readonly message: Text;
  readonly shows: readonly Shown[];
  readonly form: readonly FormField[];
  /** null = it waits for ever. */
  readonly timeoutMs: number | null;
  readonly onTimeout: 'approve' | 'reject';
  /** Names of the people who may decide; empty = everyone who may use this Signalbox. */
  readonly who: readonly string[];
}

/** `output`: the output of a task. `diff`: everything integrated so far. `cost`: what was spent so far. */
export type Shown = { readonly kind: 'output'; readonly task: string } | { readonly kind: 'diff' | 'cost' };

export interface FormField {
  readonly name: string;
  readonly type: 'text' | 'number' | 'boolean' | 'choice';
  readonly label: string;
  /** For a choice. */
  readonly options: readonly string[];
  readonly required: boolean;
  /** The default if the field is left empty; null = none. */
  readonly usual: Json;
}
