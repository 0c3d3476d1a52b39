import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../model/core/json.ts';
import { exampleOf } from './example-of.ts';

describe('an example', () => {
  it.each<[JsonObject, unknown]>([
    [
      { type: 'object', properties: { a: { type: 'string' }, b: { enum: ['x', 'y'] } } },
      { a: 'example', b: 'x' },
    ],
    [{ type: 'array', items: { type: 'integer', minimum: 5 } }, [5, 5]],
    [{ type: 'array', maxItems: 1, items: { const: 'c' } }, ['c']],
    [{ type: 'array', minItems: 3, items: { type: 'boolean' } }, [true, true, true]],
    [{ type: 'string', minLength: 10, maxLength: 12 }, 'example...'],
    [{ type: 'string', format: 'date' }, '2026-01-01'],
    [{ type: 'number', exclusiveMinimum: 2, multipleOf: 4 }, 4],
    [{ anyOf: [{ type: 'null' }, { type: 'string' }] }, null],
    [
      { type: 'object', properties: { a: { default: [1] }, b: { examples: ['first'] } } },
      { a: [1], b: 'first' },
    ],
    [{ $ref: '#/$defs/a', $defs: { a: { type: 'integer' } } }, 1],
  ])('of %j matches it [PLAN-14]', (schema, value) => {
    expect(exampleOf(schema)).toEqual({ value });
  });

  it('of a recursive schema ends', () => {
    const node: JsonObject = {
      type: 'object',
      properties: { next: { $ref: '#' }, name: { type: 'string' } },
      required: ['name'],
    };
    expect(exampleOf(node)?.value).toMatchObject({ name: 'example', next: { name: 'example' } });
  });

  it('that cannot be guessed is none [PLAN-14]', () => {
    expect(exampleOf({ type: 'string', pattern: '^[0-9a-f]{40}$' })).toBeNull();
  });
});
