import { expect, it } from 'vitest';
import type { JsonObject } from '../../model/core/json.ts';
import { flawOfAskedSchema } from './schema-arguments.ts';

it('accepts ordinary schemas', () => {
  const schema: JsonObject = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    required: ['pattern'],
    properties: {
      pattern: { type: 'string', maxLength: 80, description: 'named like a word of schemas' },
      $ref: { enum: [{ $ref: '#' }, null] },
      list: { type: 'array', items: { anyOf: [{ type: 'integer', minimum: 0 }, { const: { pattern: 'x' } }] } },
    },
    additionalProperties: false,
  };
  expect(flawOfAskedSchema(schema)).toBeNull();
});

it.each<[string, JsonObject]>([
  ['a pattern, which can take for ever', { type: 'string', pattern: '^(a+)+$' }],
  ['patterns of names', { patternProperties: { '^(a+)+$': {} } }],
  ['comparing all with all', { properties: { a: { type: 'array', uniqueItems: true } } }],
  ['a reference', { anyOf: [{ $ref: '#/$defs/a' }], $defs: { a: true } }],
  ['words that nobody knows', { propertys: {} }],
  ['a list for a schema', { items: { not: [[]] } }],
])('refuses %s [CHILD-52]', (_what, schema) => {
  expect(flawOfAskedSchema(schema)).not.toBeNull();
});

it('refuses a schema that is too long, too deep or invalid', () => {
  expect(flawOfAskedSchema({ title: 'x'.repeat(70_000) })).toContain('at most 64000');
  let deep: JsonObject = {};
  for (let i = 0; i < 60; i++) deep = { items: deep };
  expect(flawOfAskedSchema(deep)).toContain('deeper');
  expect(flawOfAskedSchema({ type: 'strange' })).toContain('schema');
});
