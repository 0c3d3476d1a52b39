// With what an attempt may be at work, and why it is not.

import type { AskId } from '../core/ids.ts';
import type { Budget } from '../spending/budget.ts';

/** Why an attempt has no slot, though its work is not over. */
export type ParkReason =
  | { readonly kind: 'budget'; readonly detail: string }
  | { readonly kind: 'quota'; readonly detail: string }
  /** What it asked to wait for has not come about. */
  | { readonly kind: 'waits'; readonly detail: string }
  /** Its process lives and waits for a person's answer, or for a slot to hear it. */
  | { readonly kind: 'asks'; readonly detail: string }
  /** A person says whether it goes on after its process died, and with it what had begun. */
  | {
      readonly kind: 'person';
      readonly askId: AskId;
      readonly detail: string;
      readonly inFlight: readonly string[];
    };

/** With what an attempt may begin or go on. */
export interface Admission {
  /** Set apart for it in the budgets above its own, until it ends or parks. */
  readonly reserved?: Budget;
  /** In place of the model of its task. */
  readonly model?: string;
  /** Whether it is the one that tries a limited account. */
  readonly probe?: boolean;
}
