// What a person asks for: the internal form that every plan compiles to. Plain data, journalled as it is.

import type { RunId, TaskId } from './ids.ts';
import type { PermissionRules } from './permission.ts';

export interface RunSpec {
  readonly id: RunId;
  readonly name: string;
  readonly repo: RepoRef;
  readonly limits: RunLimits;
}

/** The repository a run works on and the commit it starts from. */
export interface RepoRef {
  readonly path: string;
  readonly base: string;
}

export interface RunLimits {
  /** Attempts of this run at the same time; the host's slots bound it further. */
  readonly parallelMax: number;
}

export interface TaskSpec {
  readonly id: TaskId;
  readonly name: string;
  /** The task whose agent asked for this one; null for a plan's own tasks. */
  readonly parent: TaskId | null;
  readonly needs: readonly TaskId[];
  readonly prompt: string;
  readonly harness: string;
  /** Settings of that harness, opaque to the model (a model's name, a script). */
  readonly settings: Readonly<Record<string, string>>;
  /** Globs the task may change. null = undeclared: it works optimistically. [] = read-only. */
  readonly writes: readonly string[] | null;
  /** Globs that nobody may be changing while the task works. */
  readonly reads: readonly string[];
  readonly checks: readonly CheckSpec[];
  readonly retry: RetrySpec;
  readonly timeoutMs: number | null;
  readonly caps: TaskCaps;
  /** What its agent may do unasked. */
  readonly permissions: PermissionRules;
  readonly sandbox: SandboxKind;
  /** Higher goes first among the ready tasks of a run. */
  readonly priority: number;
}

/** `workspace`: it writes to its workspace and home, and sees nothing of the user's. `none`: it may do what the user may. */
export const sandboxKinds = ['workspace', 'none'] as const;
export type SandboxKind = (typeof sandboxKinds)[number];

/** What one process of a task's agent may use up, all its descendants included. */
export interface TaskCaps {
  readonly outputBytes: number;
  readonly memoryBytes: number;
  readonly processesMax: number;
  /** Silence in the middle of a turn for this long is a stall. */
  readonly stallMs: number;
}

/** A command that proves something by exiting 0. */
export interface CheckSpec {
  readonly name: string;
  readonly argv: readonly string[];
  readonly timeoutMs: number;
}

export interface RetrySpec {
  readonly attemptsMax: number;
  readonly delayMs: number;
  readonly delayMaxMs: number;
}
