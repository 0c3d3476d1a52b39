// Everything the engine asks of the world, in narrow interfaces, so that the simulator can be the world.

import type { Notice } from '../model/asks/notices.ts';
import type { ArtifactKind } from '../model/attempt/artifact-kinds.ts';
import type { AgentTools } from '../model/core/agent-tools.ts';
import type { ArtifactId } from '../model/core/ids.ts';
import type { Json } from '../model/core/json.ts';
import type { Usage } from '../model/spending/usage.ts';
import type { Clock } from '../std/clock.ts';
import type { Harness } from './harness.ts';
import type { HomePort } from './home-port.ts';
import type { IntegrationPort } from './integration-port.ts';
import type { Journal } from './journal.ts';
import type { LandPort } from './land-port.ts';
import type { LaunchPort } from './launch-port.ts';
import type { ProverPort } from './proof-port.ts';
import type { WorkspacePort } from './workspace-port.ts';

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
  /** The values of the variables that a run passes on to its agents; left out = none can be. */
  variables?(runId: string): Readonly<Record<string, string>>;
  /** The definitions of the tools that a run's agents get; left out = none can be. */
  tools?(runId: string): AgentTools;
  /** The copy of the session that a task of a run continues; left out = none can be. */
  adopted?(runId: string): Promise<Uint8Array>;
  /** null: there is no such harness. */
  harness(name: string): Harness | null;
  /** Why a harness refuses these settings; null = it accepts them. */
  harnessFlaw(name: string, settings: Readonly<Record<string, string>>): string | null;
  readonly homes: HomePort;
  /** Free space on the disk of Signalbox's home. */
  freeBytes(): Promise<number>;
  /** Memory that is available without taking it from others, in bytes. */
  freeMemory(): number;
  /** The list price of this usage in millionths of a dollar; null = unknown. */
  readonly price: (model: string | null, usage: Usage) => number | null;
  /** Synchronous, and the same for the same text. */
  readonly seal: Seal;
}

/** Signs the text of an event. null: there is no key to sign with; the event counts all the same, and `verify` reports it. */
export type Seal = (text: string) => string | null;

export interface NotifierPort {
  /** Notifies people unless the notice is out of date. Returns what went wrong, in a few words; null = nothing. */
  tell(notice: Notice, signal: AbortSignal): Promise<string | null>;
}

/** Artifacts are kept for good and named by their content. */
export interface ArtifactPort {
  /** The artifact is on disk when this resolves, so that an event may name it. Repeating it has its effect once. */
  put(kind: ArtifactKind, value: Json): Promise<{ readonly id: ArtifactId; readonly bytes: number }>;
  /** Throws a Fault where it is missing or its content has changed. */
  get(id: ArtifactId): Promise<{ readonly kind: ArtifactKind; readonly value: Json }>;
}

/** A constant message, data in fields, ids always. */
export interface Log {
  info(message: string, fields: LogFields): void;
  warn(message: string, fields: LogFields): void;
}

export type LogFields = Readonly<Record<string, string | number | boolean | null>>;
