// What every verb receives: configuration, the client of the daemon, and the terminal.

import type { Diagnosis } from '../../doctor/finding.ts';
import type { Known } from '../../plan/check/check-tasks.ts';
import type { TierTable } from '../../plan/tier-models.ts';
import type { Logins } from '../../wire/login-state.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { Client } from './client.ts';

/** The part of the configuration that a client needs. */
export interface Place {
  readonly home: string;
  readonly socketPath: string;
  /** The user's own configuration file. */
  readonly configurationFile: string;
  readonly daemonEnv: Readonly<Record<string, string | undefined>>;
  /** Variables that agents and checks depend on. */
  readonly noticedEnv: Readonly<Record<string, string>>;
  /** For programs run for the user at their own terminal. */
  readonly userEnv: Readonly<Record<string, string | undefined>>;
  /** Slots of a daemon started with this configuration. */
  readonly slots: number;
  readonly look: Look;
  readonly notify: NotifySettings;
  /** Configuration values that environment variables set; these override the files. */
  readonly fromEnvironment: Readonly<Record<string, { readonly value: string; readonly source: string }>>;
}

/** What the terminal supports and the user wants. */
export interface Look {
  readonly colour: boolean;
  /** The cursor can be moved, so lines can be redrawn in place. */
  readonly live: boolean;
}

/** Functions of the composition root that verbs may not import. */
export interface Lent {
  readonly version: string;
  /** Throws a Fault if a setting is invalid. */
  config(): Place;
  readonly mainFile: string;
  /** Runs a daemon in this process until it exits. */
  daemon(onReady: () => void): Promise<void>;
  /** null: the journal alone; else a run or commit with everything that belongs to it. */
  verify(about: { readonly word: string; readonly cwd: string } | null): Promise<Verification>;
  diagnosis(): Promise<Diagnosis>;
  logins(): Promise<Logins>;
  readonly harnessNames: readonly string[];
  /** Harnesses whose programs people install. */
  readonly installableHarnesses: readonly string[];
  /** The model of an agent's tasks that name none, by harness; left out = its own default. */
  readonly usualModels: ReadonlyMap<string, string>;
  /** The models that tiers mean, by harness. */
  readonly tiers: TierTable;
  /** The display name of a kind of agent. */
  harnessTitle(name: string): string;
  /** The harnesses against which plans are validated. */
  harnesses(): Promise<Known['harnesses']>;
}

/** What was verified, what could not be, and the defects found. */
export interface Verification {
  readonly verified: readonly { readonly what: string; readonly detail: string }[];
  readonly unchecked: Verification['verified'];
  readonly defects: readonly { readonly what: string; readonly detail: string; readonly means: string }[];
}

export interface Context {
  readonly place: Place;
  readonly lent: Lent;
  readonly client: Client;
  readonly terminal: Terminal;
}

/** One verb; returns the exit code. */
export type Verb<Options> = (context: Context, args: readonly string[], options: Options) => Promise<number>;

export const exits = {
  ok: 0,
  failed: 1,
  usage: 2,
  person: 3,
  budget: 4,
  daemon: 5,
  partial: 6,
  bug: 70,
  detached: 130,
} as const;

/** How a person wants to be notified. */
export interface NotifySettings {
  readonly bell: boolean;
  readonly desktop: boolean;
  /** Text for a shell, the user's own; null = none. */
  readonly command: string | null;
}
