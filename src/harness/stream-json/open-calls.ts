// Tool calls that have started and have no result yet: if the process dies, their outcome is unknown. Bounded: an agent that
// forges lines must not grow the journal.

import { withoutAsksOf } from './permission-requests.ts';
import { parseState, type State, withName, withoutName } from './state.ts';
import { isObject, type Json } from './untrusted-json.ts';

const callsMax = 10;
const labelMax = 200;

/** The oldest are dropped when there are too many. */
export function withCall(state: State, { id, name, input }: Json, parent: string | null): State {
  if (typeof id !== 'string' || typeof name !== 'string') return state;
  const calls = Object.entries(withName(state.calls, id, labelOf(name, input)));
  const within = parent === null ? state.within : withName(state.within, id, parent);
  return { ...state, calls: Object.fromEntries(calls.slice(-callsMax)), within };
}

export function withoutCalls(state: State, ids: readonly string[]): State {
  const after = withoutAsksOf(state, ids);
  const left = Object.entries(after.calls).filter(([id]) => !ids.includes(id));
  if (left.length === Object.keys(after.calls).length) return after;
  let { within } = after;
  for (const id of ids) if (Object.hasOwn(within, id)) within = withoutName(within, id);
  return { ...after, calls: Object.fromEntries(left), within };
}

/** What was open at this state of the codec, calls and background work, for people and prompts. */
export function inFlightIn(text: string): readonly string[] {
  const { calls, tasks } = parseState(text);
  const background = Object.values(tasks).filter((task) => task.background);
  return [...Object.values(calls), ...background.map(({ what }) => short(`in the background: ${what}`))].slice(
    -callsMax,
  );
}

function labelOf(name: string, input: unknown): string {
  const told = isObject(input)
    ? telling.map((key) => input[key]).find((value) => typeof value === 'string')
    : undefined;
  const what = told ?? (input === undefined ? '' : JSON.stringify(input));
  return short(what === '' || what === '{}' ? name : `${name}: ${what}`);
}

/** Fields of an input that describe a call best, the best first. */
const telling = ['command', 'file_path', 'path', 'url', 'query', 'pattern', 'description', 'prompt'];

function short(text: string): string {
  const line = text.slice(0, 4 * labelMax).replace(/\s+/g, ' ');
  return line.length > labelMax ? `${line.slice(0, labelMax - 1)}…` : line;
}
