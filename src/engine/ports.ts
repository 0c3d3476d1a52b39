// What the engine needs of the world, as narrow ports, so that the simulator can be the world.

import type { Harness } from '../harness/harness.ts';
import type { EvidenceItem, Rung } from '../model/events.ts';
import type { AttemptId, LaunchId, RunId, TaskId } from '../model/ids.ts';
import type { CheckSpec, RepoRef } from '../model/spec.ts';
import type { LaunchSpec, LineBatch, Sighting } from '../process/launches.ts';
import type { Clock } from '../std/clock.ts';
import type { Journal } from '../store/journal.ts';

export interface Ports {
  readonly clock: Clock;
  readonly journal: Journal;
  readonly launches: LaunchPort;
  readonly workspaces: WorkspacePort;
  readonly prover: ProverPort;
  readonly log: Log;
  /** null: no such harness. */
  harness(name: string): Harness | null;
  /** The directory that is the agent's own home. */
  agentHome(agentId: string): string;
}

/** Each call may be repeated after a crash at any point and has its effect once. */
export interface LaunchPort {
  start(spec: LaunchSpec, signal: AbortSignal): Promise<Sighting>;
  watch(
    launchId: LaunchId,
    offset: number,
    onLines: (batch: LineBatch) => Promise<void>,
    signal: AbortSignal,
  ): Promise<Extract<Sighting, { kind: 'ended' | 'lost' }>>;
  write(launchId: LaunchId, offset: number, record: string): Promise<number>;
  signal(launchId: LaunchId, rung: Rung): Promise<void>;
}

export interface WorkspacePort {
  prepare(order: WorkspaceOrder, signal: AbortSignal): Promise<{ readonly path: string; readonly base: string }>;
  /** Brings all work to a ref that Signalbox keeps; unchanged work is saved too, as its base. */
  save(order: WorkspaceOrder, signal: AbortSignal): Promise<{ readonly ref: string; readonly commit: string }>;
}

export interface WorkspaceOrder {
  readonly runId: RunId;
  readonly taskId: TaskId;
  readonly attemptId: AttemptId;
  readonly n: number;
  readonly repo: RepoRef;
  /** Who and when, from the record, so that saving twice makes the same commit. */
  readonly title: string;
  readonly at: number;
}

export interface ProverPort {
  prove(order: ProofOrder, signal: AbortSignal): Promise<readonly EvidenceItem[]>;
}

export interface ProofOrder {
  readonly attemptId: AttemptId;
  readonly commit: string;
  readonly workspace: string;
  readonly checks: readonly CheckSpec[];
}

/** A constant message, data in fields, ids always. */
export interface Log {
  info(message: string, fields: LogFields): void;
  warn(message: string, fields: LogFields): void;
}

export type LogFields = Readonly<Record<string, string | number | boolean | null>>;
