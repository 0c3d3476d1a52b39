// A role: a prompt that stands before a task's own, and what the agent gets that takes it.

import type { ContextSpec } from '../model/session/context-spec.ts';

export interface Role {
  readonly name: string;
  readonly description: string;
  /** The tools its agent has; null = all, [] = none. */
  readonly tools: readonly string[] | null;
  /** Tools that it does not have, of those; left out = none. */
  readonly deniedTools?: readonly string[];
  /** null = what the task or the harness says. */
  readonly model: string | null;
  /** Models to go on with when the account may use no more of that one; left out = none. */
  readonly fallback?: readonly string[];
  /** What is done when its agent's context window fills up, and from how many percent on; left out = as the plan says. */
  readonly context?: ContextSpec['how'];
  readonly contextThreshold?: number;
  readonly prompt: string;
  readonly file: string;
}

/** By name. */
export type Roles = ReadonlyMap<string, Role>;

export const noRoles: Roles = new Map();
