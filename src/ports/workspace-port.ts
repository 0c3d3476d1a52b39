// How the engine gets a checkout for an attempt, and the attempt's work back from it.

import type { Changed } from '../model/core/events.ts';
import type { RepoRef } from '../model/core/spec.ts';

export type { Changed } from '../model/core/events.ts';

/** Each call may be repeated after a crash at any point and has its effect once. */
export interface WorkspacePort {
  prepare(order: WorkspaceOrder, signal: AbortSignal): Promise<PreparedWorkspace>;
  /**
   * Removes what an interrupted `prepare` left. False: the workspace is complete, and `prepare` returns it at once.
   */
  abandon(order: WorkspaceOrder): Promise<boolean>;
  /** Environment variables that describe the workspace to its agent: the ports it may listen on. */
  environment(attemptId: string): Promise<Readonly<Record<string, string>>>;
  /** Saves all work to a ref that Signalbox keeps; unchanged work is saved as its base. */
  save(order: WorkspaceOrder, signal: AbortSignal): Promise<SavedWork>;
  /** The repository's instructions for agents (CLAUDE.md, AGENTS.md) at the attempt's base; null = it has none. */
  instructions(order: WorkspaceOrder, signal: AbortSignal): Promise<string | null>;
  /** Directories outside the checkout that reading it needs. Taken from our own files, never from the agent's. */
  borrowed(attemptId: string): Promise<readonly string[]>;
  /** Of these ids, those that name no commit that the attempt can reach: neither its project's nor its agent's own. */
  unknownCommits(attemptId: string, ids: readonly string[], signal: AbortSignal): Promise<readonly string[]>;
}

export interface WorkspaceOrder {
  readonly runId: string;
  readonly taskId: string;
  readonly attemptId: string;
  /** Which attempt of the task it is. */
  readonly n: number;
  /** With the commit that this attempt starts from. */
  readonly repo: RepoRef;
  /** false: nothing of its work is kept. */
  readonly keeps: boolean;
  /** The task's own shell command for setting up its workspace, run after the repository's; left out or null = none. */
  readonly setup?: string | null;
  /** A shell command that sets up a checkout without a `.signalbox/setup` of its own; left out = none. */
  readonly usualSetup?: string;
  /** Title and time (milliseconds since the epoch) come from the journal, so that saving twice makes the same commit. */
  readonly title: string;
  readonly at: number;
  /** It starts from unverified work: the result of its setup is not shared with other workspaces. Left out = false. */
  readonly unproved?: boolean;
  /** Whether setup and teardown run in a sandbox, as the agent does. */
  readonly sandboxed: boolean;
}

export interface PreparedWorkspace {
  readonly path: string;
  readonly base: string;
  /** What differs from the user's checkout, in sentences. */
  readonly notes?: readonly string[];
}

export interface SavedWork {
  /** Empty where nothing was to be kept; the commit is then the base. */
  readonly ref: string;
  readonly commit: string;
  /** What changed since the base, kept or not. */
  readonly changed?: Changed;
  /** How many paths the agent had not committed; Signalbox committed them. */
  readonly uncommitted?: number;
  /** All kept files that differ from the base. */
  readonly files?: readonly ChangedFile[];
  /** What differs from how the agent left it, in sentences. */
  readonly notes?: readonly string[];
}

export interface ChangedFile {
  /** As text. */
  readonly path: string;
  readonly status: 'added' | 'modified' | 'deleted' | 'type-changed';
  /** The id of its content; null = it was deleted. */
  readonly blob: string | null;
}
