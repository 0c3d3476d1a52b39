// What a person asks for: the internal form that every plan compiles to. Plain data, journalled as it is.

import type { GateSpec } from '../asks/gate-spec.ts';
import type { PermissionRules } from '../asks/permission.ts';
import type { NamedKind } from '../attempt/artifact-kinds.ts';
import type { Condition } from '../inputs/condition.ts';
import type { Ref, Text } from '../inputs/reference.ts';
import type { ContextSpec } from '../session/context-spec.ts';
import type { Budget } from '../spending/budget.ts';
import type { ChildLimits } from './child-limits.ts';
import type { RunId, TaskId } from './ids.ts';
import type { Json, JsonObject } from './json.ts';

export interface RunSpec {
  readonly id: RunId;
  readonly name: string;
  readonly repo: RepoRef;
  readonly limits: RunLimits;
  /** Whether good work comes together on one branch. If not, each task's work stays by itself, from where the run starts. */
  readonly integrates?: boolean;
  readonly integration?: IntegrationSpec;
  /** Roles that its agents may give to those they ask for, by name. */
  readonly roles?: Readonly<Record<string, RoleSpec>>;
  /** The branch of the user's that it goes into when all has succeeded; left out = it stays where it is. */
  readonly into?: string;
  /** Whether the files of a checkout of that branch may move with it. */
  readonly moveCheckout?: boolean;
}

/** Words that stand before a prompt, and settings that go with them. */
export interface RoleSpec {
  readonly prompt: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly context?: ContextSpec;
}

/** The role of those that bring together work that does not fit what was integrated meanwhile. */
export const resolverRole = 'resolver';

/** How work comes onto the run's branch. */
export interface IntegrationSpec {
  /** What must pass on each tree that the branch is to have; left out = the checks of all work on it. */
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
  /** The same for the tasks of one harness; those that are not named have no limit of their own. */
  readonly harnessMax?: Readonly<Record<string, number>>;
  /** For all its tasks together; left out = none. */
  readonly budget?: Budget;
  /** How much its agents may make of themselves; what is left out is as usual. */
  readonly children?: Partial<ChildLimits>;
}

export interface TaskSpec {
  readonly id: TaskId;
  readonly name: string;
  readonly kind: TaskKind;
  /** The matrix this task is one of, or the task whose agent asked for it; null for a plan's own tasks. */
  readonly parent: TaskId | null;
  readonly phase: string | null;
  readonly needs: readonly TaskId[];
  /** Of its needs those that only have to have ended, however: its condition says what that means. */
  readonly tolerates: readonly TaskId[];
  /** Of its needs those whose results it is given with its prompt; left out = what its texts refer to. */
  readonly inputs?: readonly TaskId[];
  /** The team that it is a standing member of. */
  readonly team?: string;
  /** Looked at when its needs have ended; null = it is done in any case. */
  readonly when: Condition | null;
  /** What its failure does: to what needs it, or to the whole run; or a person says. */
  readonly onFailure: 'skip' | 'stop' | 'ask';
  /** Whether a person is asked when its work fits at no try what was integrated meanwhile. Left out = it has failed. */
  readonly onConflict?: 'fail' | 'ask';
  /** Whether its agent goes on by itself after its process was lost in the middle of a turn. */
  readonly onCrash: 'goOn' | 'ask';
  /** What is done when its agent's context window fills up; left out = as usual. */
  readonly context?: ContextSpec;
  /** What a matrix is made over; null for every other task. */
  readonly items: readonly Json[] | Ref | null;
  /** What a task of a matrix is for. */
  readonly item?: Json;
  /** Why nobody can work on it: it fails with this as soon as its needs have ended. */
  readonly impossible?: string;
  /** What is asked where it is a gate; null for every other task. */
  readonly gate: GateSpec | null;
  readonly prompt: Text;
  /** By which name of a role it was set up; null = none. For people. */
  readonly role: string | null;
  /** Environment of its agent, besides what the harness gives it. */
  readonly env: Readonly<Record<string, Text>>;
  /** A command for the shell that sets its workspace up, after the repository's own setup. */
  readonly setup: string | null;
  /** JSON Schema of its output; null = it has none. */
  readonly output: JsonObject | null;
  /** The kind of artifact that this is the schema of; left out = a schema of its own. */
  readonly outputKind?: NamedKind;
  /** Its output must say of each output it was given what became of it. */
  readonly accounts: boolean;
  /** false = it works in a throw-away checkout: nothing of it is kept. */
  readonly keeps: boolean;
  readonly harness: string;
  /** Settings of that harness, opaque to the model (a model's name, a script). */
  readonly settings: Readonly<Record<string, string>>;
  /** Globs the task may change. null = undeclared: it works optimistically. [] = read-only. */
  readonly writes: readonly string[] | null;
  /** Globs that nobody may be changing while the task works. */
  readonly reads: readonly string[];
  /** Of a matrix: globs that refer to its items, resolved for each of its tasks. Its own `writes` and `reads` cover them all. */
  readonly itemPaths?: { readonly writes: readonly Text[] | null; readonly reads: readonly Text[] };
  readonly checks: readonly CheckSpec[];
  readonly retry: RetrySpec;
  readonly timeoutMs: number | null;
  /** Whether its agent tells what it uses. Of one that does not, a command, only the time counts. */
  readonly spends: boolean;
  /** For all its attempts together; of a matrix for each of its tasks. null = none. */
  readonly budget: Budget | null;
  /** For it and all that is below it, together: of a matrix its tasks. null = none. */
  readonly treeBudget: Budget | null;
  /** When its account has used up what it may: until that is over, with another model, or not at all. */
  readonly onQuota: 'wait' | 'fallback' | 'stop';
  /** Those other models, the preferred one first. */
  readonly fallback: readonly string[];
  readonly caps: TaskCaps;
  /** What its agent may do unasked. */
  readonly permissions: PermissionRules;
  readonly sandbox: SandboxKind;
  /** Higher goes first among the ready tasks of a run. */
  readonly priority: number;
}

/** Of a matrix, whether they stand in the plan or come out of a task. */
export const itemsMax = 10_000;

/**
 * `matrix`: becomes a task for each of its items. `milestone`: nobody works on it, it holds when its needs have ended.
 * `gate`: a person decides.
 */
export const taskKinds = ['work', 'matrix', 'milestone', 'gate'] as const;
export type TaskKind = (typeof taskKinds)[number];

/** `workspace`: it writes to its workspace and home, and sees nothing of the user's. `none`: it may do what the user may. */
export const sandboxKinds = ['workspace', 'none'] as const;
export type SandboxKind = (typeof sandboxKinds)[number];

/** What one process of a task's agent may use up, all its descendants included. */
export interface TaskCaps {
  readonly outputBytes: number;
  readonly memoryBytes: number;
  readonly processesMax: number;
  /** Silence in the middle of a turn for this long is a stall, */
  readonly stallMs: number;
  /** and this long while a tool of its own is at work; left out = as usual. */
  readonly toolStallMs?: number;
}

/** More would not tell a flaky check from a broken one. */
export const checkRetriesMax = 5;

/** A command that proves something by exiting 0. */
export interface CheckSpec {
  readonly name: string;
  readonly argv: readonly string[];
  readonly timeoutMs: number;
  /** How often one that fails is run again; passing then counts, and is told as flaky. Left out = the first result counts. */
  readonly retries?: number;
}

/** Beyond the first attempt, where nobody says otherwise. */
export const usualTries = { conflictsMax: 2, sendBacksMax: 2 } as const;

export interface RetrySpec {
  readonly attemptsMax: number;
  /** Attempts beyond those, for work that did not fit what was integrated meanwhile. */
  readonly conflictsMax: number;
  /** And for work that lacks evidence: it goes back to its author. Left out = none. */
  readonly sendBacksMax?: number;
  readonly delayMs: number;
  readonly delayMaxMs: number;
  /**
   * `continue`: a further attempt goes on with the session and the work of the one before. `auto`: as continuing.ts
   * decides. Left out = it begins anew.
   */
  readonly how?: RetryHow;
}

export const retryHows = ['fresh', 'continue', 'auto'] as const;
export type RetryHow = (typeof retryHows)[number];
