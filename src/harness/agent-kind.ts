// What Signalbox knows of one kind of agent besides its protocol: each agent's folder exports one of these, and `registry.ts`
// lists them. Light, because every call of the CLI loads it; `create` loads the protocol itself, a `Harness`. Does no I/O:
// answers of the agent's program are passed in.

import type { TierModels, TierTable } from '../model/core/model-tiers.ts';
import type { PriceTable } from '../model/spending/prices.ts';
import type { ToolDefinition } from '../model/tool-calls/tool-list.ts';
import type { Harness, StallWindows } from '../ports/harness.ts';
import type { CredentialNeed } from './credential-spec.ts';

export interface AgentKind {
  readonly name: string;
  /** For people. */
  readonly title: string;
  readonly stall: StallWindows;
  /** The identity by which commits name it; left out = the name of the harness. */
  readonly coAuthor?: { readonly name: string; readonly email: string };
  create(given: HarnessGiven): Promise<Harness>;
  /** The program that a person installs; left out = none is needed. */
  readonly program?: Program;
  /** Left out = it needs no credentials. */
  readonly credential?: CredentialNeed & { readonly check: CredentialCheck };
  /** Variables of the daemon's environment that are passed on to its agents. */
  readonly passedOn?: readonly string[];
  /** Variables by which the harness configures its agents: no plan may set them. */
  readonly ownVariables?: RegExp;
  /** Its agents have exactly the tools of their role, by the settings `builtInTools` and `disallowedTools`. */
  readonly heedsTools?: true;
  /** The model of tasks that name none; left out = its own default. */
  readonly usualModel?: string;
  /** Its models by tier; left out = it has none, and a tier means its own default. */
  readonly tiers?: TierModels;
  /** Its models and their list prices; left out = unknown. Loaded on demand. */
  models?(): Promise<Models>;
}

export function usualModelsOf(kinds: readonly AgentKind[]): ReadonlyMap<string, string> {
  return new Map(kinds.flatMap(({ name, usualModel }) => (usualModel === undefined ? [] : [[name, usualModel]])));
}

export function tiersOf(kinds: readonly AgentKind[]): TierTable {
  return Object.fromEntries(kinds.flatMap(({ name, tiers }) => (tiers === undefined ? [] : [[name, tiers]])));
}

export interface HarnessGiven {
  readonly nodePath: string;
  /** The path of its program, if it has one. */
  readonly binary: string;
  /** PATH, and the variables in `passedOn`. */
  readonly env: Readonly<Record<string, string>>;
  readonly tools: readonly ToolDefinition[];
  /** After these tools the engine decides whether the turn continues. */
  readonly parkingTools: readonly string[];
}

export interface Program {
  readonly binary: string;
  /** The environment variable that names another path. */
  readonly variable: string;
  /** Commands for people. */
  readonly install: string;
  readonly update: string;
  /** The environment for a program that is only queried: its settings are in this empty directory. */
  environment(home: string): Readonly<Record<string, string>>;
  /** The versions that the tests run on, the oldest first. */
  readonly tested: readonly string[];
  /** Judges the output of `--version`. */
  judgeVersion(text: string): 'tested' | 'untested' | 'tooOld';
}

/** How to ask the program which credentials it would use, without a request to a model. */
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
  /** Why this model cannot be used; null = no reason is known. `own`: the user's prices name models too. */
  flaw(model: string, own: PriceTable): string | null;
  /** A name for the current version of a model: its price is known once the agent reports which one that is. */
  isAlias(model: string): boolean;
  /** The listed model whose price an alias has today; null = unknown. */
  listed(model: string): string | null;
}
