// Typed output. OpenAI holds an answer to a schema only if the schema says everything: every property required, none beside them. Any
// other schema is said to the agent in words, and what it gives is checked by the engine like every output.

import type { Json, JsonObject } from '../../model/core/json.ts';
import { isObject } from '../stream-json/untrusted-json.ts';

/** The schema, if the service takes it; null = it does not, or there is none. */
export function strictSchema(schema: JsonObject | null): JsonObject | null {
  return schema !== null && schema['type'] === 'object' && isStrict(schema) ? schema : null;
}

/** For the agent. */
export function outputWords(schema: JsonObject): string {
  return [
    'Your task has a typed output: the last message of each turn is nothing but one JSON value that fits this JSON Schema, without',
    'words around it and without code fences.',
    JSON.stringify(schema),
  ].join('\n');
}

const known = new Set([
  'type',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'enum',
  'const',
  'description',
  'title',
  'anyOf',
]);

function isStrict(schema: Json): boolean {
  if (!isObject(schema)) return false;
  if (!Object.keys(schema).every((key) => known.has(key))) return false;
  const { type, properties, required, additionalProperties, items, anyOf } = schema as JsonObject;
  if (Array.isArray(anyOf) && !anyOf.every(isStrict)) return false;
  if (items !== undefined && !isStrict(items)) return false;
  if (type !== 'object') return type !== 'array' || items !== undefined;
  if (additionalProperties !== false || !isObject(properties)) return false;
  const names = Object.keys(properties);
  const needed = Array.isArray(required) ? required : [];
  return names.every((name) => needed.includes(name)) && Object.values(properties as JsonObject).every(isStrict);
}
