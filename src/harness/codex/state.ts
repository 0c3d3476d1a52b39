// What the codec remembers between lines: ids that later orders carry, and what is open. Bounded, because an agent that forges lines
// must not grow the journal.

import type { LimitKind } from '../../model/session/agent-fact.ts';
import { createStateText } from '../state-text.ts';

export interface State {
  /** CODEX_HOME, where the gate is. */
  readonly dir: string;
  /** The agent asks after every tool round. */
  readonly brake: boolean;
  /** It is to answer by a schema. */
  readonly typed: boolean;
  /** A session is to be taken up again. */
  readonly resumes: boolean;
  readonly thread: string | null;
  readonly model: string | null;
  readonly turn: string | null;
  /** Requests to the model in this turn that were let pass, or asked about. */
  readonly rounds: number;
  /** The gate is shut for this turn: a tool of ours may end it. */
  readonly isShut: boolean;
  /** We have ended the turn between two requests: it ended well. */
  readonly isPaused: boolean;
  /** The conversation is being made shorter: nothing can be said until that is over. */
  readonly compacts: boolean;
  /** Calls that are told when the gate is shut, by the id of the request that shuts it. */
  readonly gated: Readonly<Record<string, GatedCall>>;
  /** What runs: ids of items, and what they are in a few words. */
  readonly calls: Readonly<Record<string, string>>;
  /** Files that changes want to change, by item. */
  readonly paths: Readonly<Record<string, readonly string[]>>;
  /** What the thread had used when last told. */
  readonly total: Tally | null;
  /** What of it no turn has told yet, and how many requests that were. */
  readonly used: Tally | null;
  readonly requests: number;
  /** The last of them. */
  readonly last: Tally | null;
  readonly window: number | null;
  /** The last words of the turn, cut. */
  readonly said: string;
  /** The model has answered this process, and nothing was refused since. */
  readonly answered: boolean;
  readonly refused: LimitKind | null;
  /** What was told last of the account's limits. */
  readonly allowance: string;
}

export interface GatedCall {
  readonly requestId: string;
  readonly callId: string;
  readonly tool: string;
  readonly input: unknown;
}

/** Input, output, read from a cache, written to one: each token in one of them. */
export type Tally = readonly [number, number, number, number];

/** What is true before a turn begins and after it has ended. */
export const betweenTurns = {
  turn: null,
  rounds: 0,
  isShut: false,
  isPaused: false,
  compacts: false,
  gated: {},
  calls: {},
  paths: {},
  said: '',
} as const satisfies Partial<State>;

const start: State = {
  dir: '',
  brake: false,
  typed: false,
  resumes: false,
  thread: null,
  model: null,
  ...betweenTurns,
  total: null,
  used: null,
  requests: 0,
  last: null,
  window: null,
  answered: false,
  refused: null,
  allowance: '',
};

export function initialState(given: Pick<State, 'dir' | 'brake' | 'typed' | 'resumes'>): string {
  return formatState({ ...start, ...given });
}

/** As a state: what of it an order carries. */
export function pin(carried: Partial<State>): string {
  return formatState({ ...start, ...carried });
}

export const { parse: parseState, format: formatState } = createStateText(start);

const namesMax = 10;

/** With one more name; the oldest go when there are too many. */
export function withName<T>(names: Readonly<Record<string, T>>, name: string, value: T): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries({ ...names, [name]: value }).slice(-namesMax));
}

export function withoutName<T>(names: Readonly<Record<string, T>>, name: string): Readonly<Record<string, T>> {
  if (!Object.hasOwn(names, name)) return names;
  return Object.fromEntries(Object.entries(names).filter(([each]) => each !== name));
}

/** Names come from the agent: "constructor" is one like any other. */
export function nameIn<T>(names: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(names, name) ? names[name] : undefined;
}
