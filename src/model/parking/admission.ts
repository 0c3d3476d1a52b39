// What an attempt gets when it takes a slot, and why it has none.

import type { AskId } from '../core/ids.ts';
import type { Budget } from '../spending/budget.ts';

/** Why an attempt has no slot although its work is not over. */
export type ParkReason =
  | { readonly kind: 'budget'; readonly detail: string }
  | { readonly kind: 'quota'; readonly detail: string }
  /** A person holds its run, or all. */
  | { readonly kind: 'pause'; readonly detail: string }
  /** A person ended its turn: it goes on with the next message of a person. */
  | { readonly kind: 'interrupt'; readonly by: string; readonly detail: string }
  /** What the agent waits for has not happened yet. */
  | { readonly kind: 'waits'; readonly detail: string }
  /** The process lives and waits for a person's answer, or for a slot in which to read it. */
  | { readonly kind: 'asks'; readonly detail: string }
  /** A person decides whether the attempt continues after its process died in the middle of tool calls. */
  | {
      readonly kind: 'person';
      readonly askId: AskId;
      readonly detail: string;
      readonly inFlight: readonly string[];
    };

/** What an attempt gets when it starts or continues. */
export interface Admission {
  /** Reserved for it in the budgets above its own, until it ends or parks. */
  readonly reserved?: Budget;
  /** A fallback model in place of its task's. */
  readonly model?: string;
  /** Whether this attempt probes a limited account. */
  readonly probe?: boolean;
}
