// Parses the user's own prices: `prices.json` in the home. Errors name the key.

import type { Price, PriceTable } from '../model/spending/prices.ts';
import { nearest } from '../std/nearest.ts';

/** Its name in the home. */
export const priceFile = 'prices.json';

const keys = ['input', 'output', 'cacheWrite', 'cacheRead'] as const satisfies readonly (keyof Price)[];

/** In dollars per million tokens; more is a mistake. */
const dollarsMax = 100_000;

export type PriceFile = { readonly own: PriceTable } | { readonly flaw: string };

/** `{ "<model>": { "input": 3, "output": 15 } }`. Cache prices default to the input price. */
export function parsePrices(text: string): PriceFile {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    return { flaw: `it is not JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
  if (!isMapping(parsed)) return { flaw: 'expected an object whose keys are model names' };
  const own = new Map<string, Price>();
  for (const [model, given] of Object.entries(parsed)) {
    const flaw = flawOf(model, given);
    if (flaw !== null) return { flaw };
    const { input = 0, output = 0, cacheWrite = input, cacheRead = input } = given as Partial<Price>;
    own.set(model, { input, output, cacheWrite, cacheRead });
  }
  return { own };
}

function flawOf(model: string, given: unknown): string | null {
  if (model === '') return 'a key is empty: expected a model name or a prefix of model names';
  if (!isMapping(given)) return `"${model}" must be an object like { "input": 3, "output": 15 }`;
  const unknown = Object.keys(given).find((key) => !(keys as readonly string[]).includes(key));
  if (unknown !== undefined) {
    const [near] = nearest(unknown, keys);
    return `"${model}" has the unknown key "${unknown}"; ${near === undefined ? `known keys: ${keys.join(', ')}` : `did you mean "${near}"?`}`;
  }
  const missing = (['input', 'output'] as const).find((key) => given[key] === undefined);
  if (missing !== undefined) return `"${model}" lacks "${missing}"`;
  for (const key of keys) {
    const flaw = given[key] === undefined ? null : flawOfPrice(given[key]);
    if (flaw !== null) return `"${key}" of "${model}" ${flaw}`;
  }
  return null;
}

function flawOfPrice(value: unknown): string | null {
  if (typeof value !== 'number') return 'must be a number: dollars per million tokens';
  if (value < 0) return `is ${value}: a price cannot be negative`;
  return value > dollarsMax ? `is ${value}: at most ${dollarsMax} dollars per million tokens are allowed` : null;
}

function isMapping(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
