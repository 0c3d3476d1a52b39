// Recognises simple schemas quickly: common keywords with valid values. Compiling the schema of schemas takes longer than
// everything else about a typical plan; only other schemas are validated with it.

import type { Json } from '../../model/core/json.ts';
import { isObject } from './schema-walk.ts';

/** true: it is valid JSON Schema. false: it must be validated. */
export function isPlainSchema(schema: Json): boolean {
  if (typeof schema === 'boolean') return true;
  return isObject(schema) && Object.entries(schema).every(([word, value]) => keywords.get(word)?.(value) === true);
}

const isText = (value: Json): boolean => typeof value === 'string';
const isNumber = (value: Json): boolean => typeof value === 'number' && Number.isFinite(value);
const isCount = (value: Json): boolean => Number.isSafeInteger(value) && Number(value) >= 0;
const isList = (value: Json): boolean => Array.isArray(value);

const keywords: ReadonlyMap<string, (value: Json) => boolean> = new Map([
  ['type', (value) => types.has(value)],
  ['properties', (value) => isObject(value) && Object.values(value).every(isPlainSchema)],
  ['additionalProperties', isPlainSchema],
  ['items', isPlainSchema],
  ['required', (value) => Array.isArray(value) && value.every(isText) && new Set(value).size === value.length],
  ['enum', isList],
  ['const', () => true],
  ['default', () => true],
  ['examples', isList],
  ['title', isText],
  ['description', isText],
  ['minimum', isNumber],
  ['maximum', isNumber],
  ['minLength', isCount],
  ['maxLength', isCount],
  ['minItems', isCount],
  ['maxItems', isCount],
]);

const types = new Set<Json>(['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']);
