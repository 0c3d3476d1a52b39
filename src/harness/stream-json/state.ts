// What the codec remembers between lines: a few sums and the names that are open. Bounded, because an agent that
// forges lines must not grow the journal.

import type { LimitKind, Turn } from '../../model/session/agent-fact.ts';

export interface State {
  readonly version: string | null;
  /** That it was started with, in its own words. */
  readonly model: string | null;
  /** How large its context window is was told by that, or asked. */
  readonly windowAsked: boolean;
  /** What the agent's own sums were when last seen; null = nothing seen yet. */
  readonly sums: Sums | null;
  /** It tells when it is idle. Then a result is held until it is. */
  readonly tellsIdle: boolean;
  readonly idle: boolean;
  /** A message was taken up, and no turn has ended since. */
  readonly asked: boolean;
  readonly held: Turn | null;
  /** Work under way, by its id. */
  readonly tasks: Readonly<Record<string, Task>>;
  /** Tool calls without a result yet: their ids, and what they are in a few words. */
  readonly calls: Readonly<Record<string, string>>;
  /** What it asked leave for and has not gone on from: ids of requests, and the calls they are about. */
  readonly asks: Readonly<Record<string, string>>;
  /** Calls of its own subagents that have no result yet: in which call each is. */
  readonly within: Readonly<Record<string, string>>;
  /** Messages received and not yet taken up: the uuid they go by, and ours. */
  readonly names: Readonly<Record<string, string>>;
  /** Taken up under a uuid whose message is not known yet. */
  readonly nameless: readonly string[];
  /** What the API last complained of in this turn. */
  readonly complaint: string | null;
  /** The model has answered this process, and nothing was refused since. */
  readonly answered: boolean;
  /** What the service refused in this turn, as far as it was told. */
  readonly refused: LimitKind | null;
  /** Ids of the model's last answers. */
  readonly recent: readonly string[];
  /** The newest of them, with what it said of its use when it began. */
  readonly newest: Newest | null;
  /** Answers since the last result, by model. */
  readonly requests: Readonly<Record<string, number>>;
}

export interface Newest {
  readonly id: string;
  readonly model: string;
  /** Input, output, cache read, cache write. */
  readonly tokens: readonly [number, number, number, number];
}

export interface Sums {
  readonly costMicroUsd: number;
  /** By model, the rest under no name; null = not told. */
  readonly models: Readonly<Record<string, Tally>> | null;
}

/** Input, output, cache read, cache write, millionths of a dollar. */
export type Tally = readonly [number, number, number, number, number];

export interface Task {
  readonly toolUseId: string;
  readonly what: string;
  /** It goes on while the agent does something else. */
  readonly background: boolean;
}

const start: State = {
  version: null,
  model: null,
  windowAsked: false,
  sums: null,
  tellsIdle: false,
  idle: false,
  asked: false,
  held: null,
  tasks: {},
  calls: {},
  asks: {},
  within: {},
  names: {},
  nameless: [],
  complaint: null,
  answered: false,
  refused: null,
  recent: [],
  newest: null,
  requests: {},
};

export const initialState = '{}';

const namesMax = 64;
const nameLengthMax = 200;

// Most lines change nothing, and a batch is read in one go: parsing the text again for each would be most of the work.
let lastText = initialState;
let lastState = start;

export function parseState(text: string): State {
  if (text !== lastText) {
    lastState = { ...start, ...(JSON.parse(text) as Partial<State>) };
    lastText = text;
  }
  return lastState;
}

export function formatState(state: State): string {
  if (state !== lastState) {
    // Journalled with every step: what is as at the start is left out.
    lastText = JSON.stringify(Object.fromEntries(Object.entries(state).filter(([, value]) => !isEmpty(value))));
    lastState = state;
  }
  return lastText;
}

/** With one more name; the oldest go when there are too many, and what is too long for a name is none. */
export function withName<T>(names: Readonly<Record<string, T>>, name: string, value: T): Readonly<Record<string, T>> {
  if (name === '' || name.length > nameLengthMax) return names;
  const entries = Object.entries({ ...names, [name]: value });
  return Object.fromEntries(entries.slice(-namesMax));
}

export function withoutName<T>(names: Readonly<Record<string, T>>, name: string): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(names).filter(([each]) => each !== name));
}

/** Names come from the agent: "constructor" is one like any other. */
export function nameIn<T>(names: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(names, name) ? names[name] : undefined;
}

export function hasBackground(state: State): boolean {
  return Object.values(state.tasks).some((task) => task.background);
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === false) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
