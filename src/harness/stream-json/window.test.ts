// The size of the context window is reported if the stream reports it, and never guessed.

import { expect, it } from 'vitest';
import { windowByName, windowByResult } from './window.ts';

const used = (...sizes: number[]) => ({
  modelUsage: Object.fromEntries(sizes.map((contextWindow, i) => [`m${i}`, { contextWindow }])),
});

it("the window size comes from the model's name or its result, and is unknown if two models differ", () => {
  expect(windowByName({ model: 'claude-opus-4-8[1m]' })).toEqual([{ kind: 'window', tokens: 1_000_000 }]);
  expect(windowByName({ model: 'claude-opus-4-8' })).toEqual([]);
  expect(windowByName({ model: 7 })).toEqual([]);
  expect(windowByResult(used(200_000))).toEqual([{ kind: 'window', tokens: 200_000 }]);
  expect(windowByResult(used(200_000, 200_000))).toEqual([{ kind: 'window', tokens: 200_000 }]);
  expect(windowByResult(used(200_000, 1_000_000))).toEqual([]);
  expect(windowByResult({ modelUsage: { m: { contextWindow: 'much' } } })).toEqual([]);
  expect(windowByResult({})).toEqual([]);
});
