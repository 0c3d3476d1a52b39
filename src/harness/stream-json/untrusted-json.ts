// Reads untrusted JSON: every accessor returns a value within bounds, whatever is there. Also writes JSON that others can read.

import { parseBounded, wholeCharacters } from '../../std/bounded-json.ts';

export type Json = Readonly<Record<string, unknown>>;

export interface ParsedObject {
  readonly object: Json;
  /** Something in it was nested too deep and was cut. */
  readonly isCut: boolean;
}

export function parseLine(line: string): ParsedObject | null {
  try {
    const { value, isCut } = parseBounded(line);
    return isObject(value) ? { object: value, isCut } : null;
  } catch {
    return null;
  }
}

export function parseObject(line: string): Json | null {
  return parseLine(line)?.object ?? null;
}

/** One line of JSON. Half a surrogate pair would be part of every later request of the agent, and each would be refused. */
export function recordOf(value: Json): string {
  return `${JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'string' ? wholeCharacters(inner) : inner))}\n`;
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function objectIn(value: unknown): Json {
  return isObject(value) ? value : {};
}

export function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function isText(value: unknown): value is string {
  return typeof value === 'string';
}

export function textIn(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** No longer than a name may be: longer ones are not ours, and would fill the journal. */
export function nameOrNull(value: unknown): string | null {
  return typeof value === 'string' && value !== '' && value.length <= nameMax ? value : null;
}

export const nameMax = 200;

export function countIn(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? Math.min(value, countMax) : 0;
}

/** Sums of many counts stay exact. */
const countMax = 1e12;

/** Millionths of a dollar; null = not reported, or absurdly large. */
export function microUsdIn(value: unknown): number | null {
  return typeof value === 'number' && Math.abs(value) <= dollarsMax ? Math.round(value * 1e6) : null;
}

const dollarsMax = 1e6;

/** Milliseconds; null = not reported, or not a valid date. */
export function timeIn(seconds: unknown): number | null {
  return typeof seconds === 'number' && seconds >= 0 && seconds <= secondsMax ? Math.round(seconds * 1_000) : null;
}

/** In the year 5138. */
const secondsMax = 1e11;
