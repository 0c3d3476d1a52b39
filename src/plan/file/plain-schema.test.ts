import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Json } from '../../model/core/json.ts';
import { isPlainSchema } from './plain-schema.ts';

const words = [
  'type',
  'properties',
  'items',
  'required',
  'enum',
  'const',
  'title',
  'minItems',
  'maximum',
  'additionalProperties',
  'pattern',
  '$ref',
  'examples',
  'default',
  'toString',
];

it('a schema that is plain passes the schema of schemas [PLAN-1]', () => {
  const ajv = new Ajv2020({ strict: false, logger: false });
  const value = fc.letrec<{ any: Json }>((tie) => ({
    any: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom<Json>('object', 'string', 'x', '', 1, -1, 1.5, true, null),
      fc.array(tie('any'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...words), tie('any'), { maxKeys: 4 }) as fc.Arbitrary<Json>,
    ),
  })).any;
  let plain = 0;
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...words), value, { maxKeys: 4 }), (schema) => {
      if (!isPlainSchema(schema)) return;
      plain += 1;
      expect(ajv.validateSchema(schema), JSON.stringify(schema)).toBe(true);
    }),
    { numRuns: 2_000 },
  );
  expect(plain).toBeGreaterThan(100);
});

it('usual schemas are plain, and wrong ones are not', () => {
  const bug = {
    type: 'object',
    required: ['a'],
    properties: { a: { type: 'array', items: { enum: ['x'] }, minItems: 1 } },
  };
  expect(isPlainSchema(bug)).toBe(true);
  for (const wrong of [
    { type: 'objekt' },
    { required: ['a', 'a'] },
    { properties: { a: 5 } },
    { minItems: -1 },
    { $ref: '#' },
    5,
  ]) {
    expect(isPlainSchema(wrong as Json)).toBe(false);
  }
});
