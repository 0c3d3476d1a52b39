// List prices of models, in dollars for a million tokens, as their makers told them on the day below. What is made of them
// is an estimate: nobody's discounts are in it, prompts are priced as short ones where long ones cost more, and caches as
// if kept for five minutes. A file of the user's takes the place of any line (docs/limits.md).

import type { Price, PriceTable } from '../model/spending/prices.ts';

export const listPricesOf = '2026-11-16';

/** A cache is written at a quarter more than is read anew, and read at a tenth, where nothing else is told. */
const claude = (input: number, output: number, cacheRead = input / 10): Price => ({
  input,
  output,
  cacheWrite: input * 1.25,
  cacheRead,
});

/** Writing to the cache costs nothing besides. */
const plain = (input: number, output: number, cacheRead: number): Price => ({
  input,
  output,
  cacheWrite: input,
  cacheRead,
});

export const listPrices: PriceTable = new Map([
  ['claude-fable-5-1', claude(10, 50, 0.25)],
  ['claude-mythos-5-1', claude(10, 50, 0.25)],
  ['claude-fable-5', claude(10, 50)],
  ['claude-mythos-5', claude(10, 50)],
  ['claude-opus-5-5', claude(4, 20, 0.2)],
  ['claude-opus-5', claude(5, 25)],
  ['claude-opus-4-8', claude(5, 25)],
  ['claude-opus-4-7', claude(5, 25)],
  ['claude-opus-4-6', claude(5, 25)],
  ['claude-opus-4-5', claude(5, 25)],
  ['claude-opus-4-1', claude(15, 75)],
  ['claude-opus-4-0', claude(15, 75)],
  ['claude-opus-4', claude(15, 75)],
  ['claude-sonnet-5-5', claude(2, 10)],
  ['claude-sonnet-5', claude(2, 10)],
  ['claude-sonnet-4-6', claude(3, 15)],
  ['claude-sonnet-4-5', claude(3, 15)],
  ['claude-sonnet-4-0', claude(3, 15)],
  ['claude-sonnet-4', claude(3, 15)],
  ['claude-3-7-sonnet', claude(3, 15)],
  ['claude-haiku-5-5', claude(0.1, 0.5)],
  ['claude-haiku-4-5', claude(1, 5)],
  ['claude-3-5-haiku', claude(0.8, 4)],

  ['gpt-5.6-sol', { ...plain(5, 30, 0.5), cacheWrite: 6.25 }],
  ['gpt-5.6-terra', { ...plain(2, 12, 0.2), cacheWrite: 2.5 }],
  ['gpt-5.6-luna', { ...plain(0.2, 1.2, 0.02), cacheWrite: 0.25 }],
  ['gpt-5.5', plain(5, 30, 0.5)],
  ['gpt-5.4', plain(2.5, 15, 0.25)],
  ['gpt-5.4-mini', plain(0.75, 4.5, 0.075)],
  ['gpt-5.4-nano', plain(0.2, 1.25, 0.02)],
  ['gpt-5.3-codex', plain(1.75, 14, 0.175)],
  ['gpt-5.2', plain(1.75, 14, 0.175)],
  ['gpt-5.2-codex', plain(1.75, 14, 0.175)],
  ['gpt-5.1', plain(1.25, 10, 0.125)],
  ['gpt-5.1-codex', plain(1.25, 10, 0.125)],
  ['gpt-5.1-codex-max', plain(1.25, 10, 0.125)],
  ['gpt-5.1-codex-mini', plain(0.25, 2, 0.025)],
  ['gpt-5', plain(1.25, 10, 0.125)],
  ['gpt-5-codex', plain(1.25, 10, 0.125)],
  ['gpt-5-mini', plain(0.25, 2, 0.025)],
  ['gpt-5-nano', plain(0.05, 0.4, 0.005)],
  ['gpt-4.1', plain(2, 8, 0.5)],
  ['gpt-4.1-mini', plain(0.4, 1.6, 0.1)],
  ['o3', plain(2, 8, 0.5)],
  ['o4-mini', plain(1.1, 4.4, 0.275)],

  ['gemini-3.5-flash', plain(1.5, 9, 0.15)],
  ['gemini-3.1-pro', plain(2, 12, 0.2)],
  ['gemini-3-pro', plain(2, 12, 0.2)],
  ['gemini-3-flash', plain(0.5, 3, 0.05)],
  ['gemini-2.5-pro', plain(1.25, 10, 0.125)],
  ['gemini-2.5-flash', plain(0.3, 2.5, 0.03)],
]);
