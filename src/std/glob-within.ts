// Whether every path that a glob matches is matched by one of several others: a child's paths must lie inside its parent's.
// Exact: both become automata over the same few characters, and the one runs beside all states the others can be in.

import type { Characters, PathGlob, Token } from './path-glob.ts';

/** Beyond this many visited states it counts as not inside: real globs need far fewer. */
const placesMax = 2_000_000;

export function globWithin(glob: PathGlob, others: readonly PathGlob[]): boolean {
  const machines = others.flat();
  const characters = charactersOf([...glob, ...machines]);
  const seen = new Set<string>();
  let places = 0;
  const open = glob.map((tokens) => ({
    tokens,
    at: withSkips(tokens, [0]),
    sets: machines.map((each) => withSkips(each, [0])),
  }));
  for (let state = open.pop(); state !== undefined; state = open.pop()) {
    const { tokens, at, sets } = state;
    if (at.has(tokens.length) && !sets.some((set, i) => set.has(machines[i]?.length ?? -1))) return false;
    for (const character of characters) {
      const next = after(tokens, at, character);
      if (next.size === 0) continue;
      const nextSets = sets.map((set, i) => after(machines[i] ?? [], set, character));
      const key = `${glob.indexOf(tokens)} ${[...next].join()} ${nextSets.map((set) => [...set].join()).join(' ')}`;
      places += next.size + nextSets.reduce((sum, set) => sum + set.size, nextSets.length);
      if (places > placesMax) return false;
      if (seen.has(key)) continue;
      seen.add(key);
      open.push({ tokens, at: next, sets: nextSets });
    }
  }
  return true;
}

function after(tokens: readonly Token[], at: ReadonlySet<number>, character: string): ReadonlySet<number> {
  const reached: number[] = [];
  for (const i of at) {
    const token = tokens[i];
    if (token !== undefined && has(token.accepts, character)) reached.push(token.loops ? i : i + 1);
  }
  return withSkips(tokens, reached);
}

/** The characters that are named, and one that stands for all others. */
function charactersOf(machines: PathGlob): readonly string[] {
  const named = new Set<string>();
  const add = ({ of }: Characters): void => of.forEach((character) => named.add(character));
  for (const tokens of machines) for (const { accepts } of tokens) add(accepts);
  return [...named, '\u{10ffff}'];
}

/** With all places that are reachable without a character. */
function withSkips(tokens: readonly Token[], places: readonly number[]): ReadonlySet<number> {
  const reached = new Set(places);
  for (const place of reached) for (const skip of tokens[place]?.skips ?? []) reached.add(place + skip);
  return reached;
}

function has({ negated, of }: Characters, character: string): boolean {
  return of.has(character) !== negated;
}
