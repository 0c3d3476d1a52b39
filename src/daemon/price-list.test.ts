import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createRules } from '../harness/create-rules.ts';
import { agentKinds } from '../harness/registry.ts';
import { flawOfPrices, openPrices } from './price-list.ts';

const usage = {
  inputTokens: 1_000,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  costMicroUsd: null,
  turns: 1,
};
const rules = await createRules(agentKinds);
let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'signalbox-prices-test-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function open() {
  const flaws: string[] = [];
  const { price, look } = openPrices(home, rules, (flaw) => flaws.push(flaw));
  const own = (content: string) => writeFileSync(join(home, 'prices.json'), content);
  return { own, flaws, look, cost: (model: string) => price(model, usage) };
}

it('a change of prices.json applies at the next use, also its removal [COST-3]', () => {
  const { own, cost, look, flaws } = open();
  expect([cost('claude-opus-5'), cost('mine'), look()]).toMatchObject([5_000, null, { own: 0, flaw: null }]);
  own('{ "mine": { "input": 2, "output": 2 } }');
  expect([cost('claude-opus-5'), cost('mine'), look()]).toMatchObject([5_000, 2_000, { own: 1, flaw: null }]);
  own('{ "mine": { "input": 7, "output": 2 }, "claude-opus-5": { "input": 1, "output": 1 } }');
  expect([cost('claude-opus-5'), cost('mine'), look()]).toMatchObject([1_000, 7_000, { own: 2, flaw: null }]);
  rmSync(join(home, 'prices.json'));
  expect([cost('claude-opus-5'), cost('mine'), flaws]).toEqual([5_000, null, []]);
});

it('a broken prices.json falls back to list prices and is reported once [COST-4]', () => {
  const { own, cost, look, flaws } = open();
  own('{ "mine": { "input": 2, "output": 2 } }');
  expect(cost('mine')).toBe(2_000);
  own('{ "mine": { "input": -2, "output": 2 } }');
  expect([cost('mine'), cost('claude-opus-5')]).toEqual([null, 5_000]);
  const flaw = `${join(home, 'prices.json')} is not used: "input" of "mine" is -2: a price cannot be negative`;
  expect(look().flaw).toMatch(flaw);
  expect(flaws).toEqual([look().flaw]);
  own('{ "mine": { "input": 3, "output": 2 } }');
  expect([cost('mine'), look().flaw, flaws.length]).toEqual([3_000, null, 1]);
});

it('an unreadable prices.json is reported and never throws [COST-4]', () => {
  const { own, cost, look } = open();
  own(' '.repeat(1_100_000));
  expect(look().flaw).toMatch('larger than a megabyte');
  rmSync(join(home, 'prices.json'));
  mkdirSync(join(home, 'prices.json'));
  expect([cost('claude-opus-5'), look().flaw]).toEqual([5_000, expect.stringContaining('it cannot be read')]);
});

it('a model without a price is reported with the file that takes it, until it is there [COST-9]', () => {
  const { own } = open();
  const prices = openPrices(home, rules, () => undefined);
  expect(flawOfPrices(prices, 'claude', ['opus', 'claude-sonnet-5', 'mystery'])).toContain(
    `what "mystery" costs is not known: write its price into ${join(home, 'prices.json')}`,
  );
  expect(flawOfPrices(prices, 'scripted', ['mystery'])).toBeNull();
  own('{ "mystery": { "input": 3, "output": 15 } }');
  expect(flawOfPrices(prices, 'claude', ['mystery'])).toBeNull();
});
