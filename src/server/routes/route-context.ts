// What the daemon's routes are built on: the engine, the record, and what only the world can tell.

import type { Engine } from '../../engine/engine.ts';
import type { IdSource } from '../../model/core/ids.ts';
import type { RepoRef } from '../../model/core/spec.ts';
import type { Journal } from '../../ports/journal.ts';
import type { Artifacts } from '../../store/artifacts/artifacts.ts';
import type { SpaceItemView } from '../../wire/space-views.ts';
import type { LoginView, PricesView, StatusView } from '../../wire/status-views.ts';
import type { Holding } from '../http/hold-stream.ts';
import type { EnvelopeSource } from '../views/artifact-envelope.ts';
import type { ViewSource } from '../views/run-view.ts';
import type { HarnessFacts } from './submit-request.ts';

export interface Served extends HarnessFacts {
  readonly engine: Engine;
  readonly journal: Journal;
  readonly artifacts: Pick<Artifacts, 'bytes' | 'path' | 'find'>;
  envelope: EnvelopeSource['envelope'];
  readonly ids: IdSource;
  readonly about: Pick<StatusView, 'version' | 'pid' | 'startedAt' | 'home' | 'confinement' | 'sandbox'>;
  /** Fires when the daemon is about to leave. */
  readonly leaving: AbortSignal;
  transcriptPath(launchId: string): string;
  readTranscript(launchId: string, from: number): AsyncIterable<Buffer>;
  /** The file of a check's log by the name that evidence has; null: that is no such name. */
  checkLogPath(log: string): string | null;
  /** The repository that holds an attempt's work. */
  gitDir(attemptId: string): string;
  branchRef: ViewSource['branchRef'];
  reopen: ViewSource['reopen'];
  /** A port of its block on which something listens, by attempt. */
  usedPorts(): Promise<ReadonlyMap<string, number>>;
  /** The commit that a name means now; null is what is checked out. */
  decideBase(
    repo: { path: string; base: string | null },
    signal: AbortSignal,
  ): Promise<RepoRef & { readonly notes: readonly string[] }>;
  /** Why nothing can go into a branch of that repository; null = it can. */
  flawOfTarget(repo: string, branch: string, signal: AbortSignal): Promise<string | null>;
  /** Why a harness would not take these settings; null when it would. */
  flawOfSettings(harness: string, settings: Readonly<Record<string, string>>): string | null;
  /** A sentence on the first model that an agent of this harness could not be priced with; null = there is none. */
  flawOfModels(harness: string, models: readonly string[]): string | null;
  flawOfPrices(harness: string, models: readonly string[]): string | null;
  /** Throws the Fault that says why an agent of this harness could not work here. */
  requireFit(harness: string): Promise<void>;
  /** What agents would be let in with, without the secrets. */
  logins(): readonly LoginView[];
  /** By what costs are estimated. */
  prices(): PricesView;
  readonly space: Space;
  /** Workspaces that somebody looks into. */
  readonly holding: Holding;
  /** Begins to leave; returns at once. */
  leave(): void;
}

/** What lies on the disk, and the removal of what may go. */
export interface Space {
  inspectSpace(signal: AbortSignal): Promise<readonly SpaceItemView[]>;
  reclaim(
    wanted: readonly string[] | 'all' | 'all-with-setups',
    signal: AbortSignal,
  ): Promise<{ readonly removed: readonly SpaceItemView[]; readonly kept: readonly SpaceItemView[] }>;
}
