// What the engine needs of the world, as narrow ports, so that the simulator can be the world.

import type { Seal } from '../engine/seal-events.ts';
import type { ChangedFile } from '../git/commands/changed-files.ts';
import type { Harness, HomeFile } from '../harness/harness.ts';
import type { Notice } from '../model/asks/notices.ts';
import type { ArtifactKind } from '../model/attempt/artifact-kinds.ts';
import type { Changed, EvidenceItem } from '../model/events.ts';
import type { AgentId, ArtifactId, AttemptId, RunId, TaskId } from '../model/ids.ts';
import type { IntegrateResult } from '../model/integrate/integration-queue.ts';
import type { Trailer } from '../model/integrate/trailer.ts';
import type { Json } from '../model/json.ts';
import type { CheckSpec, RepoRef } from '../model/spec.ts';
import type { Usage } from '../model/spending/usage.ts';
import type { Clock } from '../std/clock.ts';
import type { Journal } from '../store/journal.ts';
import type { LandPort } from './land-port.ts';
import type { LaunchPort } from './launch-port.ts';

export interface Ports {
  readonly clock: Clock;
  readonly journal: Journal;
  readonly launches: LaunchPort;
  readonly workspaces: WorkspacePort;
  readonly prover: ProverPort;
  readonly integrations: IntegrationPort;
  readonly artifacts: ArtifactPort;
  readonly landings: LandPort;
  readonly notifier: NotifierPort;
  readonly log: Log;
  /** null: no such harness. */
  harness(name: string): Harness | null;
  /** What is wrong with asking a harness for this; null = nothing. */
  harnessFlaw(name: string, settings: Readonly<Record<string, string>>): string | null;
  readonly homes: HomePort;
  /** Room on the disk that Signalbox keeps everything on. */
  freeBytes(): Promise<number>;
  /** Memory that could be had without others losing theirs, in bytes. */
  freeMemory(): number;
  /** What this usage costs, in millionths of a dollar, by a table of prices; null = unknown. */
  readonly price: (model: string | null, usage: Usage) => number | null;
  /** At once, and the same for the same text. */
  readonly seal: Seal;
}

export interface NotifierPort {
  /** Tells people of it; nothing where it is no news any more. Returns what went wrong, in a few words; null = nothing. */
  tell(notice: Notice, signal: AbortSignal): Promise<string | null>;
}

/** What an agent keeps between its processes. */
export interface HomePort {
  /** Makes the agent's home, with these files in it, for its owner only. Returns its path. */
  prepare(agentId: AgentId, files: readonly HomeFile[]): Promise<void>;
  path(agentId: AgentId): string;
  /** Lines of a file below the home; none when it is not there. */
  lines(agentId: AgentId, path: string): Promise<readonly string[]>;
  /** Moves a file below the home. What is there already, and what is nowhere, stays so. */
  move(agentId: AgentId, from: string, to: string): Promise<void>;
  /** Whole lines from an offset on, not all of a long file at once; none when it is not there. */
  tail(agentId: AgentId, path: string, offset: number): Promise<HomeLines>;
  /** Names of the files in a folder below the home, in order; none when it is not there. */
  files(agentId: AgentId, path: string): Promise<readonly string[]>;
}

export interface HomeLines {
  readonly lines: readonly string[];
  /** Where the next ones begin. Less than was asked for: the file is another, and is to be read from its start. */
  readonly end: number;
}

export interface WorkspacePort {
  prepare(
    order: WorkspaceOrder,
    signal: AbortSignal,
  ): Promise<{ readonly path: string; readonly base: string } & Noted>;
  /**
   * Removes what is there of a workspace whose preparing was broken off. False: it is whole, and prepare gives it at
   * once.
   */
  abandon(order: WorkspaceOrder): Promise<boolean>;
  /** What the agent is told of its place by environment, beside what its harness tells it. */
  environment(attemptId: AttemptId): Promise<Readonly<Record<string, string>>>;
  /** Brings all work to a ref that Signalbox keeps; unchanged work is saved too, as its base. */
  save(order: WorkspaceOrder, signal: AbortSignal): Promise<SavedWork & Noted>;
  /** The repository's own words for agents, at the commit that the attempt starts from; null = it has none. */
  instructions(order: WorkspaceOrder, signal: AbortSignal): Promise<string | null>;
  /** What its checkout needs to be read outside of itself. Known from our own record, never from the agent's files. */
  borrowed(attemptId: AttemptId): Promise<readonly string[]>;
}

export interface SavedWork {
  readonly ref: string;
  readonly commit: string;
  readonly changed?: Changed;
  /** How many paths its agent had not committed. */
  readonly uncommitted?: number;
  /** Of what is kept, all files that differ from its base. */
  readonly files?: readonly ChangedFile[];
}

/** What a person may want to know of it, in sentences. */
interface Noted {
  readonly notes?: readonly string[];
}

/** Kept for good, named by their content. */
export interface ArtifactPort {
  /** It is on disk when this resolves, so that a record may name it. Repeating it has its effect once. */
  put(kind: ArtifactKind, value: Json): Promise<{ readonly id: ArtifactId; readonly bytes: number }>;
  /** A Fault where it is not there, or not what it was. */
  get(id: ArtifactId): Promise<{ readonly kind: ArtifactKind; readonly value: Json }>;
}

export interface IntegrationPort {
  /**
   * Brings works onto the run's branch in this order, as far as they fit and the checks pass on exactly the tree that the
   * branch is to have. Repeating it has its effect once: what an earlier try has been integrated is told as integrated.
   */
  integrate(order: IntegrateOrder, signal: AbortSignal): Promise<readonly IntegrateResult[]>;
}

export interface IntegrateOrder {
  readonly runId: RunId;
  /** Where the branch is by the record. */
  readonly head: string;
  readonly works: readonly IntegrateWork[];
  /** What has to hold wherever the branch comes to. */
  readonly checks: readonly CheckSpec[];
  readonly sandboxed: boolean;
  /** Checks that failed before this moment are run again, since a person said so. */
  readonly failuresSince: number;
}

export interface IntegrateWork {
  readonly attemptId: AttemptId;
  /** What the work is, and what that started from. */
  readonly commit: string;
  readonly base: string;
  /** false: it is integrated only if it has already. */
  readonly wanted: boolean;
  /** Who and when, from the record, so that integration twice makes the same commit. */
  readonly title: string;
  readonly at: number;
  readonly trailers: readonly Trailer[];
  /** What has to hold as well where this work is. */
  readonly checks: readonly CheckSpec[];
}

export interface WorkspaceOrder {
  readonly runId: RunId;
  readonly taskId: TaskId;
  readonly attemptId: AttemptId;
  readonly n: number;
  /** With the commit that this attempt starts from. */
  readonly repo: RepoRef;
  /** false: nothing of it is to be kept. */
  readonly keeps: boolean;
  /** The task's own command to set its workspace up. */
  readonly setup: string | null;
  /** Who and when, from the record, so that saving twice makes the same commit. */
  readonly title: string;
  readonly at: number;
  /** It starts from work that nobody has proved: what a setup makes of that is for no other workspace. */
  readonly unproved: boolean;
  /** Whether a sandbox is around its setup and teardown, as one is around the agent. */
  readonly sandboxed: boolean;
}

export interface ProverPort {
  prove(order: ProofOrder, signal: AbortSignal): Promise<readonly EvidenceItem[]>;
}

export interface ProofOrder {
  readonly attemptId: AttemptId;
  readonly commit: string;
  readonly workspace: string;
  readonly checks: readonly CheckSpec[];
  readonly base: string;
  readonly sandboxed: boolean;
  /** What it may have changed since, and what the proof of it is called; null = anything. */
  readonly writeSet: { readonly proof: string; readonly globs: readonly string[] } | null;
  /** Checks that failed before this moment are run again, since a person said so; left out = none. */
  readonly failuresSince?: number;
}

/** A constant message, data in fields, ids always. */
export interface Log {
  info(message: string, fields: LogFields): void;
  warn(message: string, fields: LogFields): void;
}

export type LogFields = Readonly<Record<string, string | number | boolean | null>>;
