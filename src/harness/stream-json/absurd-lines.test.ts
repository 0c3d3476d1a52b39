// Any value in any place of a line: the codec reads it without throwing, and the result can be stored, added up and shown.

import { expect, it } from 'vitest';
import { loadRecording, recordings } from '../../../test/harness/recordings.ts';
import { createReader } from './codec.ts';
import { initialState } from './state.ts';

/** More than a stack holds. */
const levels = 12_000;
const absurd: Readonly<Record<string, string>> = {
  'nested lists': '['.repeat(levels) + ']'.repeat(levels),
  'nested objects': `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`,
  'a long text': JSON.stringify('x'.repeat(30_000)),
  'a huge number': '1e308',
  'a huge negative number': '-1e308',
  'a number beyond every double': '1e999',
  'a negative number': '-1',
  'half of a character': '"\\ud800"',
  'a prototype': '{"__proto__":{"is_error":false}}',
  null: 'null',
  'an empty list': '[]',
  'an empty object': '{}',
  true: 'true',
};

const read = createReader({ tools: [], asksWindow: true });
const stateMax = 20_000;
/** The text of a turn and the input of a permission request may be this long; nothing else comes near it. */
const toldMax = 200_000;

/** Deeper fields have no meaning to the codec. */
const pathMax = 5;

type Path = readonly string[];

it('a line with an absurd value anywhere is answered with bounded events [HAR-24] [CLAIM-4]', () => {
  const places = everyPlace();
  expect(places.length).toBeGreaterThan(300);
  const flaws = places.flatMap(([name, line, path]) =>
    Object.entries(absurd).flatMap(([what, value]) => {
      const flaw = flawOf(withValue(line, path, value));
      return flaw === null ? [] : [`${name} is ${what}: ${flaw}`];
    }),
  );
  expect(flaws).toEqual([]);
}, 120_000);

function flawOf(line: string): string | null {
  try {
    const first = read(initialState, line);
    const second = read(JSON.stringify(JSON.parse(first.state)), line);
    const told = JSON.stringify([first.events, first.replies, second.events, second.replies]);
    if (second.state.length > stateMax) return `a state of ${second.state.length} characters`;
    if (told.length > toldMax) return `${told.length} characters are told`;
    if (/\\ud[89a-f]/.test(told + second.state)) return 'half of a character is told';
    const large = [...first.events, ...second.events].flatMap(numbersIn).find((n) => !(Math.abs(n) <= 2 ** 53));
    return large === undefined ? null : `the number ${large} is told`;
  } catch (error) {
    return String(error);
  }
}

/** Every field of the recorded lines, once for each type of line, with a line that has it. */
function everyPlace(): [name: string, line: unknown, path: Path][] {
  const found = new Map<string, [string, unknown, Path]>();
  for (const line of recordings.flatMap((name) => loadRecording(name).lines)) {
    if (line.length > 20_000) continue;
    const value = JSON.parse(line) as { type?: string; subtype?: string };
    for (const path of pathsIn(value).filter(({ length }) => length <= pathMax)) {
      const name = [value.type, value.subtype, ...path.map((key) => key.replace(/^\d+$/, '*'))].join(' ');
      if (!found.has(name)) found.set(name, [name, value, path]);
    }
  }
  return [...found.values()];
}

function pathsIn(value: unknown, path: Path = []): Path[] {
  const below =
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([key, inner]) => pathsIn(inner, [...path, key]))
      : [];
  return path.length === 0 ? below : [path, ...below];
}

function withValue(line: unknown, path: Path, value: string): string {
  const copy = structuredClone(line) as Record<string, unknown>;
  let at = copy;
  for (const key of path.slice(0, -1)) at = at[key] as Record<string, unknown>;
  at[path.at(-1) ?? ''] = '@@here@@';
  return JSON.stringify(copy).replace('"@@here@@"', () => value);
}

/** The input of a tool is opaque: it is not added up. */
const free = ['input', 'value'];

function numbersIn(value: unknown): number[] {
  if (typeof value === 'number') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => (free.includes(key) ? [] : numbersIn(inner)));
}
