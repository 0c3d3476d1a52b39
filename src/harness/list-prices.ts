// List prices of models, in dollars for a million tokens. Costs made from them are estimates: without discounts, with the price
// of short prompts where long ones cost more, and with caches kept for five minutes. A file of the user's can replace any line
// (docs/limits.md).

import type { Price, PriceTable } from '../model/spending/prices.ts';
import { snapshot, snapshotOf } from './price-snapshot.ts';

/** The date of the prices. */
export const listPricesOf = snapshotOf;

/** Models newer than the snapshot, as their maker listed them on 2026-11-16. A test fails when the snapshot has one of them. */
export const newerThanSnapshot: typeof snapshot = [
  ['claude-haiku-5-5', 0.1, 0.5, 0.125, 0.01],
  ['claude-mythos-5', 10, 50, 12.5, 1],
  ['claude-mythos-5-1', 10, 50, 12.5, 0.25],
  ['claude-sonnet-5-5', 2, 10, 2.5, 0.2],
];

export const listPrices: PriceTable = new Map(
  [...snapshot, ...newerThanSnapshot].map(([name, input, output, cacheWrite, cacheRead]): [string, Price] => {
    return [name, { input, output, cacheWrite, cacheRead }];
  }),
);
