// The keywords of JSON Schema (2020-12), and finding a word in a schema that is not one of them. Validators ignore such a word;
// Claude Code refuses the schema or, in older versions, returns no output for it.

import type { Json } from '../../model/core/json.ts';

/** The path to the first unknown keyword; null = all are known. */
export function strayKeyword(schema: Json, path: readonly string[] = []): readonly string[] | null {
  if (schema === null || typeof schema !== 'object' || Array.isArray(schema)) return null;
  for (const [word, value] of Object.entries(schema)) {
    if (!schemaWords.includes(word)) return [...path, word];
    for (const [steps, inner] of schemasIn(word, value)) {
      const found = strayKeyword(inner, [...path, word, ...steps]);
      if (found !== null) return found;
    }
  }
  return null;
}

function schemasIn(word: string, value: Json): (readonly [steps: readonly string[], schema: Json])[] {
  if (holdsSchema.includes(word)) return [[[], value]];
  if (!holdsSchemas.includes(word) || value === null || typeof value !== 'object') return [];
  return Object.entries(value).map(([step, inner]) => [[step], inner] as const);
}

const holdsSchema = [
  'additionalProperties',
  'contains',
  'contentSchema',
  'else',
  'if',
  'items',
  'not',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
];

/** By name, or in a list. */
const holdsSchemas = [
  '$defs',
  'allOf',
  'anyOf',
  'definitions',
  'dependentSchemas',
  'oneOf',
  'patternProperties',
  'prefixItems',
  'properties',
];

const plainWords =
  '$anchor $comment $dynamicAnchor $dynamicRef $id $ref $schema $vocabulary const contentEncoding contentMediaType default ' +
  'dependentRequired deprecated description enum examples exclusiveMaximum exclusiveMinimum format maxContains maxItems ' +
  'maxLength maxProperties maximum minContains minItems minLength minProperties minimum multipleOf pattern readOnly required ' +
  'title type uniqueItems writeOnly';

export const schemaWords: readonly string[] = [...holdsSchema, ...holdsSchemas, ...plainWords.split(' ')];
