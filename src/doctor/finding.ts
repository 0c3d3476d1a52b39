// The findings of `doctor`, and what it gets passed in to find them.

import type { PricesView } from '../wire/status-views.ts';

/** `missing`: not there; where it is vital no run can work. */
export interface Finding {
  readonly name: string;
  readonly state: 'ok' | 'weaker' | 'missing';
  readonly vital: boolean;
  /** One sentence, for people. */
  readonly says: string;
  /** What to do about it; null = nothing. */
  readonly mend: string | null;
}

/** What the verb cannot reach by itself. */
export interface Diagnosis {
  /** Where git and bubblewrap are looked for. */
  readonly trustedPath: string;
  /** Room on the disk below which agents are frozen. */
  readonly freeBytesMin: number;
  readonly claude: { readonly binary: string; look(): Promise<AgentState> };
  /** For how long agents of each harness may be silent, in minutes. */
  readonly stalls: readonly { readonly harness: string; readonly silence: number; readonly toolSilence: number }[];
  /** Installed agents that no harness speaks to yet. */
  readonly strangers: readonly string[];
  /** Each way of keeping an agent's processes together, tried as a launch would. */
  mechanisms(): Promise<readonly Mechanism[]>;
  /** By what costs are estimated. */
  prices(): PricesView;
  journal(): Promise<JournalState>;
}

/** What the program of an agent says of itself. */
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
  /** What is weaker without it. */
  readonly without: string;
  readonly mend: string | null;
}

export type JournalState =
  | { readonly kind: 'none' }
  | { readonly kind: 'readable'; readonly format: number }
  /** Of a Signalbox before 0.2.0. */
  | { readonly kind: 'older' }
  /** `damaged`: no daemon of this version can use it either. */
  | { readonly kind: 'unreadable'; readonly why: string; readonly damaged: boolean };
