import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { Json } from '../../model/core/json.ts';
import { strayKeyword } from './schema-keywords.ts';

const stray = (yaml: string): string | null => strayKeyword(parse(yaml) as Json)?.join(' / ') ?? null;

describe('an unknown JSON Schema keyword', () => {
  it('is found after a comma in braces that ended a text [PLAN-1]', () => {
    expect(stray('{ properties: { a: { type: string, description: who, and why } } }')).toBe(
      'properties / a / and why',
    );
  });

  it('is found wherever a schema stands [PLAN-1]', () => {
    expect(stray('requierd: [a]')).toBe('requierd');
    expect(stray('items: { anyOf: [{ type: string }, { minLenght: 1 }] }')).toBe('items / anyOf / 1 / minLenght');
    expect(stray('$defs: { a: { not: { x: 1 } } }')).toBe('$defs / a / not / x');
    expect(stray('prefixItems: [{ type: string }, { x: 1 }]')).toBe('prefixItems / 1 / x');
  });

  it('is not searched for among names and values [PLAN-1]', () => {
    expect(stray('{ properties: { requierd: true }, required: [x], enum: [{ x: 1 }], default: { x: 1 } }')).toBeNull();
    expect(stray('{ type: object, additionalProperties: false, $defs: { x: true }, const: { x: 1 } }')).toBeNull();
  });
});
