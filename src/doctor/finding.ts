// The findings of `doctor`, and what it gets passed in to find them.

import type { PricesView } from '../wire/status-views.ts';

/** `missing`: not there; if it is required, no run can work. */
export interface Finding {
  readonly name: string;
  readonly state: 'ok' | 'degraded' | 'missing';
  readonly required: boolean;
  /** One sentence, for people. */
  readonly says: string;
  /** How to fix it; null = nothing to do. */
  readonly fix: string | null;
}

/** Facts that the verb cannot import itself. */
export interface Diagnosis {
  /** Where git and bubblewrap are looked for. */
  readonly trustedPath: string;
  /** Free space below which agents are frozen. */
  readonly freeBytesMin: number;
  /** Agents whose programs people install. */
  readonly agents: readonly InstalledAgent[];
  /** The stall windows of each harness, in minutes. */
  readonly stalls: readonly { readonly harness: string; readonly silence: number; readonly toolSilence: number }[];
  /** Installed agents without a harness. */
  readonly strangers: readonly string[];
  /** Each confinement mechanism, tried as a launch would. */
  mechanisms(): Promise<readonly Mechanism[]>;
  /** The prices used for estimates. */
  prices(): PricesView;
  journal(): Promise<JournalState>;
}

export interface InstalledAgent {
  readonly harness: string;
  readonly title: string;
  readonly binary: string;
  /** Commands for people, and the variable that names another program. */
  readonly install: string;
  readonly update: string;
  readonly variable: string;
  look(): Promise<AgentState>;
}

/** The state of an agent's program. */
export type AgentState =
  | { readonly kind: 'absent' }
  | { readonly kind: 'broken'; readonly why: string }
  | {
      readonly kind: 'tested' | 'untested' | 'tooOld';
      readonly says: string;
      /** The versions that were tested, oldest first. */
      readonly tested: readonly string[];
    };

export interface Mechanism {
  readonly name: string;
  readonly works: boolean;
  /** What it does, or why it does not work. */
  readonly says: string;
  /** What is degraded without it. */
  readonly without: string;
  readonly fix: string | null;
}

export type JournalState =
  | { readonly kind: 'none' }
  | { readonly kind: 'readable'; readonly format: number }
  /** Written by a Signalbox before 0.2.0. */
  | { readonly kind: 'older' }
  /** `damaged`: no daemon of this version can use it either. */
  | { readonly kind: 'unreadable'; readonly why: string; readonly damaged: boolean };
