// Follows a path through a JSON Schema: which values are possible there, or that none are. It says no only if the schema does. What
// the schema leaves open is possible, except for a property that is not among the listed ones, which is an error.

import type { Json } from '../../model/core/json.ts';

export type Schema = Json;

export type Walked =
  /** null: any value is possible. */
  | { readonly kind: 'there'; readonly schema: Schema | null }
  | { readonly kind: 'missing'; readonly at: number; readonly why: string; readonly known: readonly string[] };

export function walkSchema(root: Schema, path: readonly string[]): Walked {
  let at: readonly Schema[] = variants(root, root);
  for (const [i, part] of path.entries()) {
    const steps = at.map((schema) => stepInto(schema, part));
    const there = steps.filter((each) => each.kind === 'there');
    const [missing] = steps;
    if (there.length === 0) return missing?.kind === 'missing' ? { ...missing, at: i } : open;
    if (there.some(({ schema }) => schema === null)) return open;
    at = there.flatMap(({ schema }) => variants(schema as Schema, root));
  }
  const [only] = at;
  return { kind: 'there', schema: at.length === 1 ? (only ?? null) : { anyOf: at } };
}

const open: Walked = { kind: 'there', schema: null };
const depthMax = 20;

/** Every form of a value, with references and choices resolved. `allOf` merges properties only. */
export function variants(schema: Schema, root: Schema, depth = 0): readonly Schema[] {
  if (!isObject(schema) || depth > depthMax) return [schema];
  const { $ref: ref, anyOf, oneOf, allOf } = schema;
  if (typeof ref === 'string') {
    const target = resolve(root, ref);
    return target === undefined ? [true] : variants(target, root, depth + 1);
  }
  const choices = Array.isArray(anyOf) ? anyOf : Array.isArray(oneOf) ? oneOf : null;
  if (choices !== null) return choices.flatMap((each: Schema) => variants(each, root, depth + 1));
  if (Array.isArray(allOf)) {
    const parts = allOf.flatMap((each: Schema) => variants(each, root, depth + 1)).filter(isObject);
    const { allOf: _, ...own } = schema;
    return [parts.reduce<Record<string, Json>>((all, part) => merge(all, part), { ...own })];
  }
  return [schema];
}

function merge(a: Readonly<Record<string, Json>>, b: Readonly<Record<string, Json>>): Record<string, Json> {
  const properties = { ...objectOf(a['properties']), ...objectOf(b['properties']) };
  return { ...a, ...b, ...(Object.keys(properties).length === 0 ? {} : { properties }) };
}

function stepInto(schema: Schema, part: string): Walked {
  if (!isObject(schema)) return open;
  const types = typesOf(schema);
  const may = (type: string): boolean => types === null || types.includes(type);
  if (part === 'length' && (types === null || may('array') || may('string'))) {
    if (types !== null && !objectOf(schema['properties'])['length'])
      return { kind: 'there', schema: { type: 'integer' } };
  }
  if (isObject(schema['properties']) || (types !== null && types.includes('object'))) return property(schema, part);
  if (types === null) return open;
  if (types.includes('array')) {
    if (/^\d+$/.test(part)) return element(schema, Number(part));
    return missing(`it is a list, which has no "${part}"`, ['length']);
  }
  return missing(`it is ${types.map((type) => typeWords[type] ?? type).join(' or ')}, which has no "${part}"`, []);
}

function property(schema: Readonly<Record<string, Json>>, part: string): Walked {
  const properties = objectOf(schema['properties']);
  if (Object.hasOwn(properties, part)) return { kind: 'there', schema: properties[part] ?? null };
  const others = schema['additionalProperties'];
  if (isObject(others)) return { kind: 'there', schema: others };
  if (others === true || isObject(schema['patternProperties']) || !isObject(schema['properties'])) return open;
  return missing(`it has no "${part}"`, Object.keys(properties));
}

/** The schema of the items of a list. */
export function element(schema: Schema, index = 0): Walked {
  if (!isObject(schema)) return open;
  const { prefixItems, items } = schema;
  const own = Array.isArray(prefixItems) ? (prefixItems[index] as Schema | undefined) : undefined;
  const found = own ?? items;
  return found === undefined || found === true ? open : { kind: 'there', schema: found };
}

export function typesOf(schema: Schema): readonly string[] | null {
  if (!isObject(schema)) return null;
  const { type } = schema;
  if (typeof type === 'string') return [type];
  return Array.isArray(type)
    ? type.filter((each): each is string => typeof each === 'string' && each !== 'null')
    : null;
}

export function isObject(value: Json | undefined): value is Readonly<Record<string, Json>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export const typeWords: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  null: 'null',
};

function objectOf(value: Json | undefined): Readonly<Record<string, Json>> {
  return isObject(value) ? value : {};
}

function missing(why: string, known: readonly string[]): Walked {
  return { kind: 'missing', at: 0, why, known };
}

/** Only references inside the schema; others are unknown. */
function resolve(root: Schema, ref: string): Schema | undefined {
  if (!ref.startsWith('#')) return undefined;
  const parts = ref.slice(1).split('/').slice(1);
  return parts.reduce<Json | undefined>((at, part) => {
    const name = decoded(part).replaceAll('~1', '/').replaceAll('~0', '~');
    return isObject(at) ? at[name] : undefined;
  }, root);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
