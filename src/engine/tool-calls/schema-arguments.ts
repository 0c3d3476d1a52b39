// Output schemas that agents pass to tools. The daemon validates values against them, so only keywords are allowed
// whose cost is linear in schema and value: no references, no patterns, no comparison of every item with every other.

import type { JsonObject } from '../../model/core/json.ts';
import { schemaFlaw } from '../watch/check-output.ts';

/** Agents pass it as an argument. */
const schemaMax = 64_000;
const depthMax = 50;

/** What is wrong with it, in a sentence; null = nothing. */
export function flawOfAskedSchema(schema: JsonObject): string | null {
  if (JSON.stringify(schema).length > schemaMax) return `a schema has at most ${schemaMax} characters`;
  return flawWithin(schema, 0) ?? schemaFlaw(schema);
}

function flawWithin(schema: unknown, depth: number): string | null {
  if (typeof schema === 'boolean') return null;
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return 'a schema is an object';
  if (depth > depthMax) return `it is nested deeper than ${depthMax}`;
  for (const [word, value] of Object.entries(schema)) {
    if (plainWords.has(word)) continue;
    if (!ofSchemas.has(word)) return `${JSON.stringify(word.slice(0, 60))} is not taken in the schema of an agent`;
    const inner = word === 'properties' || Array.isArray(value) ? Object.values(value ?? {}) : [value];
    for (const each of inner) {
      const flaw = flawWithin(each, depth + 1);
      if (flaw !== null) return flaw;
    }
  }
  return null;
}

/** Keywords whose operand is a value. */
const plainWords: ReadonlySet<string> = new Set([
  '$schema',
  '$comment',
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  'type',
  'enum',
  'const',
  'format',
  'required',
  'dependentRequired',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minContains',
  'maxContains',
  'minProperties',
  'maxProperties',
]);

/** Keywords whose operand is a schema, a list of schemas, or schemas by name. */
const ofSchemas: ReadonlySet<string> = new Set([
  'properties',
  'additionalProperties',
  'propertyNames',
  'items',
  'prefixItems',
  'contains',
  'anyOf',
  'oneOf',
  'allOf',
  'not',
  'if',
  'then',
  'else',
]);
