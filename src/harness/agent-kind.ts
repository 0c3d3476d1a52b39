// All that Signalbox knows of one kind of agent besides its protocol: its folder exports one of these, and `registry.ts` lists them.
// Light: every call of the CLI reads it. The protocol itself, a `Harness`, is loaded by `create`. Does no I/O; what asks the agent's
// program is handed the answer.

import type { PriceTable } from '../model/spending/prices.ts';
import type { ToolDefinition } from '../model/tool-calls/tool-list.ts';
import type { Harness, StallWindows } from '../ports/harness.ts';
import type { CredentialNeed } from './credential-spec.ts';

export interface AgentKind {
  readonly name: string;
  /** For people. */
  readonly title: string;
  readonly stall: StallWindows;
  create(given: HarnessGiven): Promise<Harness>;
  /** The program that a person installs; left out = none is needed. */
  readonly program?: Program;
  /** Left out = it needs none. */
  readonly credential?: CredentialNeed & { readonly check: CredentialCheck };
  /** Variables of the daemon's environment that its agents get. */
  readonly passedOn?: readonly string[];
  /** Variables by which it says what its agents are and may do: no plan sets them. */
  readonly ownVariables?: RegExp;
  /** Its agents have the tools of their role and no others, by the settings `builtInTools` and `disallowedTools`. */
  readonly heedsTools?: true;
  /** Which models it has, and what they cost by list; left out = nobody knows. Loaded where it is asked for. */
  models?(): Promise<Models>;
}

export interface HarnessGiven {
  readonly nodePath: string;
  /** Its program, where it has one. */
  readonly binary: string;
  /** PATH, and what `passedOn` names. */
  readonly env: Readonly<Record<string, string>>;
  readonly tools: readonly ToolDefinition[];
  /** After these tools the engine decides whether the turn goes on. */
  readonly parkingTools: readonly string[];
}

export interface Program {
  readonly binary: string;
  /** The variable that names another. */
  readonly variable: string;
  /** Commands for people. */
  readonly install: string;
  readonly update: string;
  /** For a program that is only asked something: its settings are in this empty directory. */
  environment(home: string): Readonly<Record<string, string>>;
  /** The versions that the tests run on, the oldest first. */
  readonly tested: readonly string[];
  /** By what it says to `--version`. */
  judgeVersion(text: string): 'tested' | 'untested' | 'tooOld';
}

/** How the program is asked what it would use, without a request to a model. */
export interface CredentialCheck {
  readonly args: readonly string[];
  read(answer: ProgramAnswer, binary: string): CredentialVerdict;
}

export type ProgramAnswer =
  | { readonly kind: 'said'; readonly text: string }
  | { readonly kind: 'absent' }
  | { readonly kind: 'failed'; readonly why: string };

export type CredentialVerdict =
  | { readonly kind: 'taken'; readonly by: string }
  | { readonly kind: 'refused' }
  | { readonly kind: 'unasked'; readonly why: string };

export interface Models {
  /** What is wrong with asking for this model; null = nothing is known to be. `own`: the user's prices name models too. */
  flaw(model: string, own: PriceTable): string | null;
  /** A word that stands for a model of the day: what it costs is known when the agent has told which. */
  isAlias(model: string): boolean;
}
