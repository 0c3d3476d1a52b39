import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Json } from '../../model/core/json.ts';
import { encodeArtifact } from './artifacts.ts';
import { canonicalJson } from './canonical-json.ts';

const values = fc.jsonValue() as fc.Arbitrary<Json>;

it('a value is read back as it was written [ART-1]', () => {
  fc.assert(
    fc.property(values, (value) => {
      expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

it('the order of keys does not matter [ART-13]', () => {
  fc.assert(
    fc.property(values, (value) => {
      const other = turned(value);
      expect(canonicalJson(other)).toBe(canonicalJson(value));
      expect(encodeArtifact('output', other).id).toBe(encodeArtifact('output', value).id);
    }),
  );
});

it('different values are different texts, and one value of two kinds is two artifacts [ART-13]', () => {
  fc.assert(
    fc.property(values, values, (a, b) => {
      const same = canonicalJson(a) === canonicalJson(b);
      expect(same).toBe(equal(JSON.parse(JSON.stringify(a)) as Json, JSON.parse(JSON.stringify(b)) as Json));
      expect(encodeArtifact('report', a).id).not.toBe(encodeArtifact('output', a).id);
    }),
  );
});

it('keys are sorted by code units, and names like constructor are ordinary keys [ART-1]', () => {
  const value = JSON.parse('{"b":1,"a":{"__proto__":2,"constructor":3,"B":[]},"10":4,"9":5}') as Json;
  expect(canonicalJson(value)).toBe('{"10":4,"9":5,"a":{"B":[],"__proto__":2,"constructor":3},"b":1}');
});

it('a value may be nested deeper than the call stack [ART-1]', () => {
  let value: Json = [];
  for (let depth = 0; depth < 200_000; depth++) value = [value];
  expect(canonicalJson(value)).toHaveLength(400_002);
});

/** The same with every object's keys set in the opposite order. */
function turned(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(turned);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value as { readonly [key: string]: Json }).toReversed();
  return Object.fromEntries(entries.map(([key, inner]) => [key, turned(inner)]));
}

function equal(a: Json, b: Json): boolean {
  try {
    expect(a).toStrictEqual(b);
    return true;
  } catch {
    return false;
  }
}
