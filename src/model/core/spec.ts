// What a person orders: the internal form that every plan compiles to. Plain data, journalled as it is.

import type { GateSpec } from '../asks/gate-spec.ts';
import type { PermissionRules } from '../asks/permission.ts';
import type { NamedKind } from '../attempt/artifact-kinds.ts';
import type { Condition } from '../inputs/condition.ts';
import type { Ref, Text } from '../inputs/reference.ts';
import type { LandingTarget } from '../land/landing.ts';
import type { ContextSpec } from '../session/context-spec.ts';
import type { Budget } from '../spending/budget.ts';
import type { AdoptedSession } from './adopted-session.ts';
import type { ToolsNamed } from './agent-tools.ts';
import type { Attachment } from './attachment.ts';
import type { ChildLimits } from './child-limits.ts';
import type { RunId, TaskId } from './ids.ts';
import type { Json, JsonObject } from './json.ts';
import type { TierTable } from './model-tiers.ts';
import type { RetrySpec } from './retry-spec.ts';

export interface RunSpec extends LandingTarget {
  readonly id: RunId;
  readonly name: string;
  readonly repo: RepoRef;
  readonly limits: RunLimits;
  /** Whether verified work is merged onto one branch. If not, each task's work stays separate, based on the run's start. */
  readonly integrates?: boolean;
  readonly integration?: IntegrationSpec;
  /** A shell command that sets up checkouts whose commit has no `.signalbox/setup`. */
  readonly setup?: string;
  /** Variables that its agents get; the values are kept apart, because they may be secrets. */
  readonly variables?: readonly string[];
  /** Tools of the user's and of a trusted repository; their definitions are kept apart, because they may hold secrets. */
  readonly tools?: ToolsNamed;
  /** The models that tiers mean in this run; left out = none. */
  readonly models?: TierTable;
  /** Roles that its agents may give to their children, by name. */
  readonly roles?: Readonly<Record<string, RoleSpec>>;
}

/** A prompt that comes before a task's own, and settings that go with it. */
export interface RoleSpec {
  readonly prompt: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly context?: ContextSpec;
}

/** The role of an agent that resolves conflicts with integrated work. */
export const resolverRole = 'resolver';

/** How work is integrated into the run's branch. */
export interface IntegrationSpec {
  /** Checks that must pass on each tree before the branch moves to it; left out = the checks of all integrated work. */
  readonly checks?: readonly CheckSpec[];
}

/** The repository a run works on and the commit it starts from. */
export interface RepoRef {
  readonly path: string;
  readonly base: string;
  /** The branch of the user's that this commit was taken from: where its work lands unless another is named. Left out = none. */
  readonly branch?: string;
}

export interface RunLimits {
  /** Attempts of this run at the same time; the host's slots bound it further. */
  readonly parallelMax: number;
  /** The same for the tasks of one harness; a harness that is not named has no limit of its own. */
  readonly harnessMax?: Readonly<Record<string, number>>;
  /** For all its tasks together; left out = none. */
  readonly budget?: Budget;
  /** Limits on agents spawned by agents; those left out have their defaults. */
  readonly children?: Partial<ChildLimits>;
}

export interface TaskSpec {
  readonly id: TaskId;
  readonly name: string;
  readonly kind: TaskKind;
  /** The matrix whose member it is, or the task whose agent spawned it; null for a plan's own tasks. */
  readonly parent: TaskId | null;
  readonly phase: string | null;
  readonly needs: readonly TaskId[];
  /** Needs that may end with any outcome: its condition judges them. */
  readonly tolerates: readonly TaskId[];
  /** Needs whose results are given with its prompt; left out = those that its texts refer to. */
  readonly inputs?: readonly TaskId[];
  /** The team that it is a standing member of. */
  readonly team?: string;
  /** Evaluated when its needs have ended; null = always true. */
  readonly when: Condition | null;
  /** What its failure does: skip the tasks that need it, stop the run, or ask a person. */
  readonly onFailure: 'skip' | 'stop' | 'ask';
  /** Whether a person is asked when no attempt could resolve a conflict. Left out = the task fails. */
  readonly onConflict?: 'fail' | 'ask';
  /** Whether its agent is restarted without asking after its process was lost in the middle of a turn. */
  readonly onCrash: 'goOn' | 'ask';
  /** What to do when its agent's context window fills up; left out = the default. */
  readonly context?: ContextSpec;
  /** The items of a matrix; null for every other task. */
  readonly items: readonly Json[] | Ref | null;
  /** The item of a matrix's task. */
  readonly item?: Json;
  /** Why it cannot be done: it fails with this as soon as its needs have ended. */
  readonly impossible?: string;
  /** What a gate asks; null for every other task. */
  readonly gate: GateSpec | null;
  readonly prompt: Text;
  /** The session that its first attempt continues; left out = it begins one. */
  readonly adopts?: AdoptedSession;
  /** Images that the prompt carries; left out = none. */
  readonly attached?: readonly Attachment[];
  /** The name of the role that it takes; null = none. For people. */
  readonly role: string | null;
  /** Environment of its agent, besides what the harness gives it. */
  readonly env: Readonly<Record<string, Text>>;
  /** A shell command that sets up its workspace, after the repository's own setup. */
  readonly setup: string | null;
  /** JSON Schema of its output; null = it has none. */
  readonly output: JsonObject | null;
  /** The kind of artifact whose schema this is; left out = a schema of its own. */
  readonly outputKind?: NamedKind;
  /** A synthesis: its output must account for each output that it was given. */
  readonly accounts: boolean;
  /** false = it works in a throw-away checkout: nothing of it is kept. */
  readonly keeps: boolean;
  readonly harness: string;
  /** Settings of that harness, opaque to the model (a model's name, a script). */
  readonly settings: Readonly<Record<string, string>>;
  /** Globs the task may change. null = undeclared: it works optimistically. [] = read-only. */
  readonly writes: readonly string[] | null;
  /** Globs that no other task may change while this one works. */
  readonly reads: readonly string[];
  /** Globs of a matrix that refer to its items, resolved for each of its tasks. Its own `writes` and `reads` cover them all. */
  readonly itemPaths?: { readonly writes: readonly Text[] | null; readonly reads: readonly Text[] };
  readonly checks: readonly CheckSpec[];
  readonly retry: RetrySpec;
  readonly timeoutMs: number | null;
  /** Whether its agent reports usage. For one that does not, a command, only time counts. */
  readonly spends: boolean;
  /** For all its attempts together; a matrix's budget is for each of its tasks. null = none. */
  readonly budget: Budget | null;
  /** For the task and its descendants together: for a matrix its tasks. null = none. */
  readonly treeBudget: Budget | null;
  /** What to do when its account's quota is exhausted: wait, use another model, or fail. */
  readonly onQuota: 'wait' | 'fallback' | 'stop';
  /** Those other models, the preferred one first. */
  readonly fallback: readonly string[];
  readonly caps: TaskCaps;
  /** What its agent may do without asking. */
  readonly permissions: PermissionRules;
  readonly sandbox: SandboxKind;
  /** Ready tasks of a run with a higher priority start first. */
  readonly priority: number;
}

/** Items of a matrix, from the plan or from another task's output. */
export const itemsMax = 10_000;

/**
 * `matrix`: becomes a task for each of its items. `milestone`: has no agent and succeeds when its needs have ended. `gate`: a
 * person decides.
 */
export const taskKinds = ['work', 'matrix', 'milestone', 'gate'] as const;
export type TaskKind = (typeof taskKinds)[number];

/** `workspace`: the agent writes only its workspace and home, and sees no files of the user. `none`: it may do all the user may. */
export const sandboxKinds = ['workspace', 'none'] as const;
export type SandboxKind = (typeof sandboxKinds)[number];

/** What one launch of a task's agent may use, with all its descendants. */
export interface TaskCaps {
  readonly outputBytes: number;
  readonly memoryBytes: number;
  readonly processesMax: number;
  /** An agent that prints nothing in the middle of a turn for this long has stalled; */
  readonly stallMs: number;
  /** while one of its tools is running, for this long. Left out = the default. */
  readonly toolStallMs?: number;
}

/** More retries would not help to tell a flaky check from a broken one. */
export const checkRetriesMax = 5;

/** A command that proves something by exiting 0. */
export interface CheckSpec {
  readonly name: string;
  readonly argv: readonly string[];
  readonly timeoutMs: number;
  /** How often a failed check is repeated; if it passes then, it is flaky and passed. Left out = the first result counts. */
  readonly retries?: number;
}
