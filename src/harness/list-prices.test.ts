import fc from 'fast-check';
import { expect, it } from 'vitest';
import { findPrice, type Prices, priceOf } from '../model/spending/prices.ts';
import type { Usage } from '../model/spending/usage.ts';
import { listPrices, newerThanSnapshot } from './list-prices.ts';
import { snapshot } from './price-snapshot.ts';

const listed: Prices = { listed: listPrices, own: new Map() };
const price = (input: number) => ({ input, output: 0, cacheWrite: 0, cacheRead: 0 });

const usage = fc.record({
  inputTokens: fc.nat(5_000_000),
  outputTokens: fc.nat(500_000),
  cacheReadTokens: fc.nat(50_000_000),
  cacheWriteTokens: fc.nat(5_000_000),
  costMicroUsd: fc.constant(null),
  turns: fc.nat(100),
});

it('usage is priced by input, output, cache writes and cache reads [COST-1]', () => {
  const million: Usage = {
    inputTokens: 1_000_000,
    outputTokens: 1_000_000,
    cacheReadTokens: 1_000_000,
    cacheWriteTokens: 1_000_000,
    costMicroUsd: null,
    turns: 1,
  };
  expect(priceOf(listed, 'claude-sonnet-4-5', million)).toBe(3_000_000 + 15_000_000 + 300_000 + 3_750_000);
  expect(priceOf(listed, 'claude-opus-5-5', million)).toBe(4_000_000 + 20_000_000 + 200_000 + 5_000_000);
  const few: Usage = { ...million, inputTokens: 9, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
  expect(priceOf(listed, 'gpt-5-nano', few)).toBe(0);
  expect(priceOf(listed, 'gpt-5.4', million)).toBe(2_500_000 + 15_000_000 + 250_000 + 2_500_000);
});

it('parts priced separately differ from the whole by at most half a millionth of a dollar each [COST-1]', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...listPrices.keys()),
      fc.array(usage, { minLength: 1, maxLength: 20 }),
      (model, parts) => {
        const sum = parts.reduce((all, part) => ({
          ...all,
          inputTokens: all.inputTokens + part.inputTokens,
          outputTokens: all.outputTokens + part.outputTokens,
          cacheReadTokens: all.cacheReadTokens + part.cacheReadTokens,
          cacheWriteTokens: all.cacheWriteTokens + part.cacheWriteTokens,
        }));
        const apart = parts.map((part) => priceOf(listed, model, part) ?? Number.NaN);
        const whole = priceOf(listed, model, sum) ?? Number.NaN;
        expect([...apart, whole].every((cost) => Number.isSafeInteger(cost) && cost >= 0)).toBe(true);
        const together = apart.reduce((all, cost) => all + cost, 0);
        expect(Math.abs(together - whole)).toBeLessThanOrEqual((parts.length + 1) / 2);
      },
    ),
  );
});

it('a model without a price costs an unknown amount, whatever it used [COST-2]', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(null, 'scripted', '', 'claude', 'claude-opus-9', 'gpt-5.99', 'o3d'),
      usage,
      (model, used) => {
        expect(priceOf(listed, model, used)).toBeNull();
      },
    ),
  );
});

it('dates, windows and providers change no price; a later version is another model [COST-2]', () => {
  const found = (model: string) => findPrice(listed, model)?.input ?? null;
  const haiku = ['claude-haiku-4-5', 'claude-haiku-4-5-20251001', 'claude-haiku-4-5@20251001', 'claude-haiku-4-5[1m]'];
  const served = ['us.anthropic.claude-haiku-4-5-20251001-v1:0', 'anthropic/claude-haiku-4-5-latest'];
  for (const model of [...haiku, ...served]) expect([model, found(model)]).toEqual([model, 1]);
  expect(['claude-opus-4-20250514', 'claude-opus-4-5-20251101', 'claude-opus-4-99'].map(found)).toEqual([15, 5, null]);
  expect(['gpt-5-2025-08-07', 'gpt-5.4-mini', 'gemini-3.1-pro-preview'].map(found)).toEqual([1.25, 0.75, 2]);
});

it("the longest matching name counts, and of two equally long the user's [COST-3]", () => {
  const prices: Prices = {
    listed: listPrices,
    own: new Map([
      ['claude-', price(7)],
      ['claude-opus-4-5', price(8)],
    ]),
  };
  const found = (model: string) => findPrice(prices, model)?.input ?? null;
  expect(found('claude-opus-4-5')).toBe(8);
  expect(found('claude-opus-4-5-20251101')).toBe(8);
  expect(found('claude-opus-4-6')).toBe(5);
  expect(found('claude-opus-9')).toBe(7);
  expect(found('gpt-5')).toBe(1.25);
});

it('what is kept by hand is only what the snapshot does not have', () => {
  const names = new Set(snapshot.map(([name]) => name));
  expect(newerThanSnapshot.filter(([name]) => names.has(name))).toEqual([]);
});
