// Validates the JSON Schemas (2020-12) of plans, and values against them.

import { createRequire } from 'node:module';
import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020.js';
import type { Json, JsonObject } from '../../model/core/json.ts';
import { didYouMean } from '../did-you-mean.ts';
import { isPlainSchema } from './plain-schema.ts';
import { schemaWords, strayKeyword } from './schema-keywords.ts';

let shared: Ajv2020 | null = null;

/** Loaded when it is first used: otherwise every command would load it, and few plans need it. */
function ajv(): Ajv2020 {
  const library = (): typeof import('ajv/dist/2020.js') => createRequire(import.meta.url)('ajv/dist/2020.js');
  shared ??= new (library().Ajv2020)({ strict: false, allErrors: false, validateFormats: false, logger: false });
  return shared;
}

export interface SchemaFlaw {
  /** The path to the flaw. */
  readonly path: readonly string[];
  readonly message: string;
  readonly suggestion?: string | null;
}

/** null = the schema is valid. */
export function schemaFlaw(schema: JsonObject): SchemaFlaw | null {
  if (isPlainSchema(schema)) return null;
  const checker = ajv();
  if (checker.validateSchema(schema) !== true) {
    const [error] = checker.errors ?? [];
    const path = (error?.instancePath ?? '').split('/').slice(1).map(unescaped);
    return { path, message: `this is not JSON Schema: it ${error?.message ?? 'is wrong'}${allowed(error?.params)}` };
  }
  const stray = strayKeyword(schema);
  if (stray !== null) return strayFlaw(schema, stray);
  // Compiling finds what the schema of schemas cannot: unresolved references and invalid patterns. It is slow.
  if (!/"(?:\$ref|pattern|patternProperties)":/.test(JSON.stringify(schema))) return null;
  try {
    compiled(schema);
    return null;
  } catch (error) {
    return { path: [], message: `this is not JSON Schema: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/** In braces a comma ends a text, and what follows becomes a key without a value. */
function strayFlaw(schema: JsonObject, path: readonly string[]): SchemaFlaw {
  const word = path.at(-1) ?? '';
  const value = path.reduce<Json | undefined>((at, step) => (at as Record<string, Json> | undefined)?.[step], schema);
  const suggestion =
    value === null ? 'quote the text before it: in braces a comma ends a text' : didYouMean(word, schemaWords);
  return { path, message: `JSON Schema has no "${word}"`, suggestion };
}

/** null = the value is valid. */
export function valueFlaw(schema: JsonObject, value: Json): string | null {
  const validate = compiled(schema);
  if (validate(value)) return null;
  const [error] = validate.errors ?? [];
  return `${error?.instancePath === '' ? 'it' : (error?.instancePath ?? 'it')} ${error?.message ?? 'does not fit'}`;
}

/** Not cached: two tasks may have schemas with the same `$id`. */
function compiled(schema: JsonObject): ValidateFunction {
  try {
    return ajv().compile(schema);
  } finally {
    ajv().removeSchema(schema);
  }
}

function allowed(params: unknown): string {
  const values = (params as { allowedValues?: unknown } | undefined)?.allowedValues;
  return Array.isArray(values) ? ` (${values.join(', ')})` : '';
}

const unescaped = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~');
