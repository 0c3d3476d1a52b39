// What usage costs by a table of prices. A model that is not in the table has an unknown price, not a price of zero.

import type { Usage } from './usage.ts';

/** In dollars for a million tokens, which is the same as millionths of a dollar for one. */
export interface Price {
  readonly input: number;
  readonly output: number;
  readonly cacheWrite: number;
  readonly cacheRead: number;
}

export type PriceTable = ReadonlyMap<string, Price>;

/** `own`: the user's prices, by prefixes of model names. */
export interface Prices {
  readonly listed: PriceTable;
  readonly own: PriceTable;
}

/** In whole millionths of a dollar; null = unknown. */
export function priceOf(prices: Prices, model: string | null, usage: Usage): number | null {
  const price = model === null ? null : findPrice(prices, model);
  return price === null ? null : costAt(price, usage);
}

/** In whole millionths of a dollar. */
export function costAt(price: Price, usage: Usage): number {
  return Math.round(
    usage.inputTokens * price.input +
      usage.outputTokens * price.output +
      usage.cacheWriteTokens * price.cacheWrite +
      usage.cacheReadTokens * price.cacheRead,
  );
}

/** The longest matching name wins; at equal length the user's. */
export function findPrice({ listed, own }: Prices, model: string): Price | null {
  const name = plainName(model);
  const mine = longest([...own.keys()].filter((key) => name.startsWith(key) || model.startsWith(key)));
  // Another version may cost anything: only a date or the like may follow a listed name.
  const theirs = longest(
    [...listed.keys()].filter((key) => name.startsWith(key) && sameModel.test(name.slice(key.length))),
  );
  if (mine !== null && mine.length >= (theirs ?? '').length) return own.get(mine) ?? null;
  return theirs === null ? null : (listed.get(theirs) ?? null);
}

const longest = (names: readonly string[]): string | null =>
  names.reduce<string | null>((best, name) => (best === null || name.length > best.length ? name : best), null);

/** `-20251001`, `@20251001`, `-2025-08-07`, `-latest`, `-preview`, `-preview-05-06`, `-v1:0`, or several of these. */
const sameModel = /^([-@](\d{8}|\d{4}-\d\d-\d\d|latest|preview(-\d\d-\d\d)?|v\d+(:\d+)?))*$/;

/** The name without the size of its window, as in `[1m]`, and without its provider, as in `us.anthropic.` or `openai/`. */
export function plainName(model: string): string {
  return model.replace(/\[[^\]]*\]$/, '').replace(/^.*(?:\/|\banthropic\.)/, '');
}
