import { expect, it } from 'vitest';
import { parsePrices } from './price-file.ts';

const flaw = (text: string): string => {
  const read = parsePrices(text);
  return 'flaw' in read ? read.flaw : 'no flaw';
};

it('prices.json is read, and a cache costs what input costs unless set [COST-3]', () => {
  const read = parsePrices(
    '{ "local-": { "input": 0, "output": 0 }, "big": { "input": 3, "output": 15, "cacheRead": 0.3 } }',
  );
  expect('own' in read && [...read.own]).toEqual([
    ['local-', { input: 0, output: 0, cacheWrite: 0, cacheRead: 0 }],
    ['big', { input: 3, output: 15, cacheWrite: 3, cacheRead: 0.3 }],
  ]);
  expect(parsePrices('{}')).toEqual({ own: new Map() });
});

it('an error in prices.json is reported with its key [COST-4]', () => {
  expect(flaw('{ "a": ')).toMatch(/^it is not JSON: /);
  expect(flaw('[]')).toBe('expected an object whose keys are model names');
  expect(flaw('{ "": { "input": 1, "output": 1 } }')).toMatch('a key is empty');
  expect(flaw('{ "a": 3 }')).toBe('"a" must be an object like { "input": 3, "output": 15 }');
  expect(flaw('{ "a": { "input": 1 } }')).toBe('"a" lacks "output"');
  expect(flaw('{ "a": { "input": -1, "output": 1 } }')).toBe('"input" of "a" is -1: a price cannot be negative');
  expect(flaw('{ "a": { "input": "1", "output": 1 } }')).toBe(
    '"input" of "a" must be a number: dollars per million tokens',
  );
  expect(flaw('{ "a": { "input": 1, "output": null } }')).toMatch('"output" of "a" must be a number');
  for (const absurd of ['100001', '1e999']) {
    expect(flaw(`{ "a": { "input": 1, "output": ${absurd} } }`)).toMatch(/^"output" of "a" is .*: at most/);
  }
  expect(flaw('{ "a": { "input": 1, "output": 1, "cache-read": 1 } }')).toBe(
    '"a" has the unknown key "cache-read"; did you mean "cacheRead"?',
  );
});
