// A role: a prompt that comes before a task's own, with tools and a model for the agent.

import type { ContextSpec } from '../model/session/context-spec.ts';

export interface Role {
  readonly name: string;
  readonly description: string;
  /** The tools its agent has; null = all, [] = none. */
  readonly tools: readonly string[] | null;
  /** Tools that are taken away from these; left out = none. */
  readonly deniedTools?: readonly string[];
  /** MCP servers that it has, among those of its run; left out = all, [] = none. */
  readonly mcp?: readonly string[];
  /** null = chosen by the task or the harness. */
  readonly model: string | null;
  /** Models to use when the quota for that one is exhausted; left out = none. */
  readonly fallback?: readonly string[];
  /** What happens when its agent's context window fills up, and at how many percent; left out = as in the plan. */
  readonly context?: ContextSpec['how'];
  readonly contextThreshold?: number;
  readonly prompt: string;
  readonly file: string;
}

/** By name. */
export type Roles = ReadonlyMap<string, Role>;

export const noRoles: Roles = new Map();
