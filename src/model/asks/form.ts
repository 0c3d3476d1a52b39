// Validates the values of a gate's form. They are accepted whole or not at all.

import type { Json, JsonObject } from '../core/json.ts';
import type { FormField, GateSpec } from './gate-spec.ts';

export type Filled =
  | { readonly kind: 'filled'; readonly values: JsonObject }
  | { readonly kind: 'wrong'; readonly problems: readonly string[] };

/** Every field gets a value, also those left out: the default, or null. */
export function fillForm(form: readonly FormField[], given: JsonObject): Filled {
  const problems: string[] = [];
  const values: Record<string, Json> = {};
  for (const field of form) {
    const own = Object.hasOwn(given, field.name) ? (given[field.name] ?? null) : null;
    const value = own ?? field.usual;
    const problem = value === null ? missing(field) : conflict(field, value);
    if (problem !== null) problems.push(problem);
    values[field.name] = value;
  }
  for (const name of Object.keys(given)) {
    if (!form.some((field) => field.name === name)) problems.push(`there is no field "${name}"${fieldsOf(form)}`);
  }
  return problems.length === 0 ? { kind: 'filled', values } : { kind: 'wrong', problems };
}

/** Why a gate could never be passed; null = it can. */
export function flawOfGate({ form, timeoutMs, onTimeout }: GateSpec): string | null {
  for (const field of form) {
    const { name, type, options, usual } = field;
    if (form.filter((each) => each.name === name).length > 1) return `two fields are called "${name}"`;
    if (type === 'choice' && options.length === 0) return `field "${name}" is a choice without options`;
    if (type !== 'choice' && options.length > 0) return `field "${name}" has options and is no choice`;
    const flaw = usual === null ? null : conflict(field, usual);
    if (flaw !== null) return `what is usual does not fit: ${flaw}`;
  }
  if (timeoutMs === null || onTimeout === 'reject') return null;
  const filled = fillForm(form, {});
  return filled.kind === 'filled' ? null : `it cannot be approved by its timeout: ${filled.problems.join('; ')}`;
}

function missing({ name, type, required }: FormField): string | null {
  return required ? `field "${name}" (${type}) is not filled in` : null;
}

/** Characters of one text. */
const textMax = 20_000;

function conflict(field: FormField, value: Json): string | null {
  const { name, type, options, required } = field;
  switch (type) {
    case 'text':
      if (typeof value !== 'string') return `field "${name}" is a text`;
      if (value === '' && required) return missing(field);
      return value.length > textMax ? `field "${name}" has at most ${textMax} characters` : null;
    case 'number':
      return typeof value === 'number' && Number.isFinite(value) ? null : `field "${name}" is a number`;
    case 'boolean':
      return typeof value === 'boolean' ? null : `field "${name}" is true or false`;
    case 'choice':
      return typeof value === 'string' && options.includes(value)
        ? null
        : `field "${name}" is one of ${options.join(', ')}`;
  }
}

function fieldsOf(form: readonly FormField[]): string {
  return form.length === 0 ? '; nothing is to be filled in' : `: there are ${form.map(({ name }) => name).join(', ')}`;
}
