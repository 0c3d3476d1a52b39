// Makes a small example that is valid for a JSON Schema and shows its fields. Always the same for one schema.

import type { Json, JsonObject } from '../../model/core/json.ts';
import { valueFlaw } from '../file/json-schema.ts';
import { isObject, type Schema, typesOf, variants } from '../file/schema-walk.ts';

/** null: no valid example was found; the author of the schema has to give one. */
export function exampleOf(schema: JsonObject): { readonly value: Json } | null {
  const value = make(schema, schema, 0);
  return valueFlaw(schema, value) === null ? { value } : null;
}

const depthMax = 12;
/** Two, so that a matrix over the list shows something. */
const itemsUsual = 2;

function make(given: Schema, root: Schema, depth: number): Json {
  const [schema = true] = variants(given, root);
  if (!isObject(schema) || depth > depthMax) return null;
  const { const: only, default: usual, examples, enum: choices } = schema;
  if (only !== undefined) return only;
  if (usual !== undefined) return usual;
  if (Array.isArray(examples) && examples.length > 0) return examples[0] as Json;
  if (Array.isArray(choices)) return (choices[0] as Json | undefined) ?? null;
  const [type = isObject(schema['properties']) ? 'object' : 'string'] = typesOf(schema) ?? [];
  switch (type) {
    case 'object':
      return makeObject(schema, root, depth);
    case 'array':
      return makeList(schema, root, depth);
    case 'integer':
    case 'number':
      return makeNumber(schema, type);
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return makeText(schema);
  }
}

function makeObject(schema: JsonObject, root: Schema, depth: number): Json {
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  // Optional fields are left out if they would nest for ever.
  const required = Array.isArray(schema['required']) ? (schema['required'] as readonly Json[]) : [];
  const names = Object.keys(properties).filter((name) => depth < depthMax / 2 || required.includes(name));
  return Object.fromEntries(names.map((name) => [name, make(properties[name] ?? true, root, depth + 1)]));
}

function makeList(schema: JsonObject, root: Schema, depth: number): Json {
  const prefix = Array.isArray(schema['prefixItems']) ? (schema['prefixItems'] as readonly Schema[]) : [];
  const least = numberOf(schema['minItems']) ?? 0;
  const usual = schema['uniqueItems'] === true ? 1 : itemsUsual;
  const length = Math.min(
    Math.max(least, prefix.length, usual),
    numberOf(schema['maxItems']) ?? Number.POSITIVE_INFINITY,
  );
  return Array.from({ length: Math.min(length, 1_000) }, (_, i) =>
    make(prefix[i] ?? schema['items'] ?? true, root, depth + 1),
  );
}

function makeNumber(schema: JsonObject, type: 'integer' | 'number'): number {
  const above = numberOf(schema['exclusiveMinimum']);
  const least = numberOf(schema['minimum']) ?? (above === undefined ? undefined : above + 1);
  const below = numberOf(schema['exclusiveMaximum']);
  const most = numberOf(schema['maximum']) ?? (below === undefined ? undefined : below - 1);
  const value = Math.min(Math.max(1, least ?? 1), most ?? Number.POSITIVE_INFINITY);
  const step = numberOf(schema['multipleOf']);
  const stepped = step === undefined ? value : Math.ceil(value / step) * step;
  return type === 'integer' ? Math.ceil(stepped) : stepped;
}

const formats: Readonly<Record<string, string>> = {
  date: '2026-01-01',
  'date-time': '2026-01-01T00:00:00Z',
  email: 'someone@example.org',
  uri: 'https://example.org/',
  uuid: '00000000-0000-4000-8000-000000000000',
};

function makeText(schema: JsonObject): string {
  const { title, format } = schema;
  const text =
    (typeof format === 'string' ? formats[format] : undefined) ?? (typeof title === 'string' ? title : 'example');
  const long = text.padEnd(numberOf(schema['minLength']) ?? 0, '.');
  return long.slice(0, numberOf(schema['maxLength']) ?? long.length);
}

function numberOf(value: Json | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
