// What the codec remembers between lines: a few sums and open ids. Bounded, because an agent that forges lines must not grow
// the journal.

import type { LimitKind, Turn } from '../../model/session/agent-fact.ts';
import { createStateText } from '../state-text.ts';

export interface State {
  readonly version: string | null;
  /** The model it was started with, as it reports it. */
  readonly model: string | null;
  /** The size of its context window was reported or asked for. */
  readonly windowAsked: boolean;
  /** The agent's own sums when last seen; null = nothing seen yet. */
  readonly sums: Sums | null;
  /** It reports when it is idle. Then a result is held until it is. */
  readonly tellsIdle: boolean;
  readonly idle: boolean;
  /** A record was read, and no turn has ended since. */
  readonly asked: boolean;
  readonly held: Turn | null;
  /** Background work and subagents, by id. */
  readonly tasks: Readonly<Record<string, Task>>;
  /** Open tool calls: their ids, and a short description. */
  readonly calls: Readonly<Record<string, string>>;
  /** Open permission requests: their ids, and the calls they are about. */
  readonly asks: Readonly<Record<string, string>>;
  /** Open calls of its own subagents: the call within which each runs. */
  readonly within: Readonly<Record<string, string>>;
  /** Records received and not yet read: their uuid, and our id. */
  readonly names: Readonly<Record<string, string>>;
  /** Read under a uuid whose record is not known yet. */
  readonly nameless: readonly string[];
  /** The last error of the API in this turn. */
  readonly complaint: string | null;
  /** The model has answered this process, and the service has not refused since. */
  readonly answered: boolean;
  /** The refusal of the service in this turn, as far as it was reported. */
  readonly refused: LimitKind | null;
  /** Ids of the model's last answers. */
  readonly recent: readonly string[];
  /** The newest of them, with the usage reported at its start. */
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
  /** By model, the rest under no name; null = not reported. */
  readonly models: Readonly<Record<string, Tally>> | null;
}

/** Input, output, cache read, cache write, millionths of a dollar. */
export type Tally = readonly [number, number, number, number, number];

export interface Task {
  readonly toolUseId: string;
  readonly what: string;
  /** It continues while the agent does something else. */
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

export const { parse: parseState, format: formatState } = createStateText(start);

/** With one more name; the oldest are dropped when there are too many, and a name that is too long is ignored. */
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
