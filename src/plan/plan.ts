// A plan as data: its expressions are parsed, but it is not yet checked or compiled. null means not set.

import type { GateSpec } from '../model/asks/gate-spec.ts';
import type { NamedKind } from '../model/attempt/artifact-kinds.ts';
import type { ChildLimits } from '../model/core/child-limits.ts';
import type { Json, JsonObject } from '../model/core/json.ts';
import type { RetryHow } from '../model/core/retry-spec.ts';
import type { Condition } from '../model/inputs/condition.ts';
import type { Ref, Text } from '../model/inputs/reference.ts';
import type { LandingHistory } from '../model/land/landing.ts';
import type { Budget } from '../model/spending/budget.ts';
import type { CommonFile, TaskOnlyFile } from './file/plan-file.ts';
import type { Source } from './file/problem.ts';
import type { Options } from './option-names.ts';
import type { PlanGlob } from './task-paths.ts';

export interface Plan {
  readonly source: Source;
  readonly name: string;
  readonly description: string | null;
  readonly inputs: readonly PlanInput[];
  readonly defaults: PlanCommon;
  readonly limits: PlanLimits;
  readonly landing: PlanLanding;
  readonly interlock: 'open' | 'strict';
  /** In order; the default ones if the plan lists none. */
  readonly phases: readonly PlanPhase[];
  readonly tasks: readonly PlanTask[];
}

export interface PlanLimits {
  readonly maxParallel: number | null;
  readonly perHarness: Readonly<Record<string, number>>;
  readonly budget: Budget | null;
  /** A person must confirm a run that could spend more. */
  readonly confirmAbove: Budget | null;
  /** Limits that are left out have their default. */
  readonly agents: Partial<ChildLimits>;
}

export interface PlanInput {
  readonly name: string;
  readonly type: 'string' | 'number' | 'boolean' | 'json';
  /** undefined: a value must be given when the plan is run. */
  readonly default: Json | undefined;
  readonly description: string | null;
}

export interface PlanPhase {
  readonly name: string;
  readonly exit: Condition | null;
  readonly throwAway: boolean;
  readonly accounts: boolean;
}

/** The options that a task and `defaults` share; null = not set. */
export interface PlanCommon extends PlainOptions, ParsedOptions {}

/** The options that have another form here than in the plan file. */
interface ParsedOptions {
  readonly retry: PlanRetry;
  readonly env: Readonly<Record<string, Text>>;
  readonly permissions: { readonly allow: string[]; readonly ask: string[]; readonly deny: string[] } | null;
  readonly checks: readonly PlanCheck[] | null;
  readonly budget: Budget | null;
  readonly budgetInAll: Budget | null;
  readonly fallback: readonly string[] | null;
  /** MCP servers by name. */
  readonly mcp: readonly string[] | null;
}

type PlainOptions = Omit<Options<CommonFile>, keyof ParsedOptions>;

export interface PlanRetry {
  readonly attempts: number | null;
  readonly delaySeconds: number | null;
  readonly conflicts: number | null;
  readonly sendBacks: number | null;
  readonly how: RetryHow | null;
}

export interface PlanLanding {
  readonly checks: readonly PlanCheck[] | null;
  /** The user's branch where the run lands; null = none. */
  readonly into: string | null;
  readonly checkout: boolean;
  /** null = as by default. */
  readonly history: LandingHistory | null;
}

export interface PlanCheck {
  readonly name: string | null;
  readonly run: string | readonly string[];
  readonly timeoutMinutes: number | null;
  readonly retries: number | null;
}

export type Work =
  | { readonly kind: 'prompt'; readonly prompt: Text }
  /** A shell command, without references. */
  | { readonly kind: 'shell'; readonly text: string }
  | { readonly kind: 'argv'; readonly argv: readonly Text[] }
  /** A person decides. */
  | { readonly kind: 'gate'; readonly gate: GateSpec };

export interface PlanTask extends PlanCommon, Options<TaskOnlyFile> {
  readonly name: string;
  readonly work: Work;
  readonly needs: readonly string[];
  readonly when: Condition | null;
  readonly matrix: readonly Json[] | Ref | null;
  readonly reads: readonly PlanGlob[];
  readonly writes: readonly PlanGlob[] | null;
  readonly output: JsonObject | null;
  /** The kind of artifact; null = a schema of its own. */
  readonly outputKind: NamedKind | null;
  readonly example: Json | undefined;
  readonly settings: Readonly<Record<string, string>>;
}

export const usualPhases: readonly PlanPhase[] = [
  { name: 'research', exit: null, throwAway: true, accounts: false },
  { name: 'synthesis', exit: null, throwAway: false, accounts: true },
  { name: 'implementation', exit: null, throwAway: false, accounts: false },
  { name: 'verification', exit: null, throwAway: true, accounts: false },
];

/** Whether the items come from a reference. */
export function isRef(matrix: readonly Json[] | Ref): matrix is Ref {
  return !Array.isArray(matrix);
}

/** Whether anything of the task's work is kept. */
export function keeps(plan: Plan, task: PlanTask): boolean {
  return task.work.kind !== 'gate' && plan.phases.find(({ name }) => name === task.phase)?.throwAway !== true;
}
