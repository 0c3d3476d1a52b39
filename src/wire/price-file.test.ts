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
  expect(flaw('[]')).toBe('it takes an object with a name of a model for each key');
  expect(flaw('{ "": { "input": 1, "output": 1 } }')).toMatch('one of its keys is empty');
  expect(flaw('{ "a": 3 }')).toBe('"a" takes an object as in { "input": 3, "output": 15 }');
  expect(flaw('{ "a": { "input": 1 } }')).toBe('"a" lacks "output"');
  expect(flaw('{ "a": { "input": -1, "output": 1 } }')).toBe('"input" of "a" is -1: nothing costs less than nothing');
  expect(flaw('{ "a": { "input": "1", "output": 1 } }')).toBe(
    '"input" of "a" takes a number: dollars for a million tokens',
  );
  expect(flaw('{ "a": { "input": 1, "output": null } }')).toMatch('"output" of "a" takes a number');
  for (const absurd of ['100001', '1e999']) {
    expect(flaw(`{ "a": { "input": 1, "output": ${absurd} } }`)).toMatch(/^"output" of "a" is .*: that is absurd/);
  }
  expect(flaw('{ "a": { "input": 1, "output": 1, "cache-read": 1 } }')).toBe(
    '"a" has "cache-read", which is not known; did you mean "cacheRead"?',
  );
});
