// What the routes need: the engine, the journal, and functions of the composition root.

import type { Engine } from '../../engine/engine.ts';
import type { AdoptedSession } from '../../model/core/adopted-session.ts';
import type { AgentTools, ToolsNamed } from '../../model/core/agent-tools.ts';
import type { IdSource } from '../../model/core/ids.ts';
import type { TierTable } from '../../model/core/model-tiers.ts';
import type { RepoRef } from '../../model/core/spec.ts';
import type { Capability } from '../../ports/capability.ts';
import type { Journal } from '../../ports/journal.ts';
import type { LandingPreview, LandOrder } from '../../ports/land-port.ts';
import type { Artifacts } from '../../store/artifacts/artifacts.ts';
import type { AgentFit } from '../../wire/agent-views.ts';
import type { RunLeftView, SpaceItemView } from '../../wire/space-views.ts';
import type { LoginView, PricesView, StatusView } from '../../wire/status-views.ts';
import type { Holding } from '../http/hold-stream.ts';
import type { EnvelopeSource } from '../views/artifact-envelope.ts';
import type { ViewSource } from '../views/run-view.ts';
import type { HarnessFacts } from './submit-request.ts';

export interface Served extends HarnessFacts {
  readonly engine: Engine;
  readonly journal: Journal;
  readonly artifacts: Pick<Artifacts, 'bytes' | 'path' | 'find' | 'put'>;
  envelope: EnvelopeSource['envelope'];
  readonly ids: IdSource;
  readonly about: Pick<
    StatusView,
    'version' | 'pid' | 'startedAt' | 'home' | 'confinement' | 'sandbox' | 'environment'
  >;
  /** Fires when the daemon is about to exit. */
  readonly leaving: AbortSignal;
  transcriptPath(launchId: string): string;
  readTranscript(launchId: string, from: number): AsyncIterable<Buffer>;
  /** The file of a check log by its name in the evidence; null: not a valid name. */
  checkLogPath(log: string): string | null;
  /** The repository that holds an attempt's work. */
  gitDir(attemptId: string): string;
  branchRef: ViewSource['branchRef'];
  reopen: ViewSource['reopen'];
  /** A port on which the attempt listens, by attempt. */
  usedPorts(): Promise<ReadonlyMap<string, number>>;
  /** The commit of a name; null = what is checked out. */
  decideBase(
    repo: { path: string; base: string | null },
    signal: AbortSignal,
  ): Promise<RepoRef & { readonly notes: readonly string[] }>;
  /** Why a run cannot land in that branch; null = it can. */
  flawOfTarget(repo: string, branch: string, signal: AbortSignal): Promise<string | null>;
  /** The commits that a landing would make; null = there are none to show. */
  previewLanding(order: LandOrder, signal: AbortSignal): Promise<LandingPreview | null>;
  /** The models that tiers mean, by harness. */
  readonly tiers: TierTable;
  /** Why the harness refuses these settings; null = it accepts them. */
  flawOfSettings(harness: string, settings: Readonly<Record<string, string>>): string | null;
  /** The first model without a known price, as a sentence; null = all have one. */
  flawOfModels(harness: string, models: readonly string[]): string | null;
  flawOfPrices(harness: string, models: readonly string[]): string | null;
  /** Throws a Fault if an agent of this harness cannot run here. */
  requireFit(harness: string): Promise<void>;
  /** The values that a user passes on to the agents of a run. */
  readonly variables: { store(runId: string, values: Readonly<Record<string, string>>): Promise<void> };
  /** The definitions of tools that a run's agents get. */
  readonly tools: { store(runId: string, tools: AgentTools): Promise<ToolsNamed> };
  /** Copies of sessions that tasks continue. */
  readonly adopted: {
    store(runId: string, given: { readonly session: string; readonly path: string }): Promise<AdoptedSession>;
  };
  /** The agents that people install, and whether each can be used here. */
  agents(): Promise<readonly AgentFit[]>;
  /** The credentials of agents, without the secrets. */
  logins(): readonly LoginView[];
  /** The prices used for estimates. */
  prices(): PricesView;
  /** What agents of this harness can do besides reading a prompt. */
  capabilities(harness: string): readonly Capability[];
  /** Whether an order ends a turn of its agents. */
  canInterrupt(harness: string): boolean;
  readonly space: Space;
  readonly removal: Removal;
  /** Holds workspaces that a client looks at. */
  readonly holding: Holding;
  /** Starts to shut down; returns at once. */
  leave(): void;
}

/** Disk usage, and removal of what is unused. */
export interface Space {
  inspectSpace(signal: AbortSignal): Promise<readonly SpaceItemView[]>;
  reclaim(
    wanted: readonly string[] | 'all' | 'all-with-setups',
    signal: AbortSignal,
  ): Promise<{ readonly removed: readonly SpaceItemView[]; readonly kept: readonly SpaceItemView[] }>;
}

/** What a run left on the disk. */
export interface Removal {
  inspect(run: RunFiles, signal: AbortSignal): Promise<FilesLeft>;
  /** Notes what is about to be removed, so that a killed daemon finishes it once the journal says so. */
  intend(run: RunFiles, keep: readonly string[]): Promise<void>;
  /** Forgets that. */
  abandon(runId: string): Promise<void>;
  /** Removes it; may be repeated. */
  finish(runId: string, signal: AbortSignal): Promise<void>;
}

export interface RunFiles {
  readonly runId: string;
  /** The user's repository. */
  readonly repo: string;
  readonly attempts: readonly {
    readonly taskId: string;
    readonly attemptId: string;
    readonly n: number;
    /** By the record, its work is in a branch of the user's. */
    readonly landed: boolean;
  }[];
}

export interface FilesLeft extends Pick<RunLeftView, 'workspaces' | 'homes' | 'launches' | 'bytes'> {
  readonly busy: readonly { readonly name: string; readonly why: string }[];
  /** Attempts whose work is in no branch of the user's. */
  readonly unlanded: readonly string[];
}
