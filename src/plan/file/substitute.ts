// Replaces references to inputs by their values in texts, conditions and lists. Other references stay for the run to resolve.

import type { Json } from '../../model/core/json.ts';
import type { Condition } from '../../model/inputs/condition.ts';
import type { Text } from '../../model/inputs/reference.ts';
import { Fault } from '../../std/fault.ts';
import { parseText } from './expression.ts';
import type { InputValues } from './plan-inputs.ts';

export function textWith(inputs: InputValues, text: Text): Text {
  if (typeof text === 'string') return text;
  const parts: (string | { ref: readonly string[] })[] = [];
  for (const part of text) {
    const put = typeof part === 'string' ? part : part.ref[0] === 'inputs' ? shown(inputAt(inputs, part.ref)) : part;
    const last = parts.at(-1);
    if (typeof put === 'string' && typeof last === 'string') parts[parts.length - 1] = last + put;
    else parts.push(put);
  }
  const [only = ''] = parts;
  return parts.length < 2 && typeof only === 'string' ? only : parts;
}

export function conditionWith(inputs: InputValues, condition: Condition): Condition {
  if (condition.op === 'value') return condition;
  if (condition.op === 'ref') {
    if (condition.ref[0] !== 'inputs') return condition;
    const value = inputAt(inputs, condition.ref);
    // Lists and objects are true and equal nothing, as in the run itself.
    return { op: 'value', value: value !== null && typeof value === 'object' ? true : value };
  }
  return { ...condition, left: conditionWith(inputs, condition.left), right: conditionWith(inputs, condition.right) };
}

/** A text that consists of one reference becomes the value itself. */
export function jsonWith(inputs: InputValues, value: Json): Json {
  if (typeof value === 'string') {
    const parsed = value.includes('${{') ? parseText(value) : null;
    if (parsed?.ok !== true) return value;
    const text = parsed.value;
    const [only] = typeof text === 'string' ? [] : text;
    if (text.length === 1 && only !== undefined && typeof only !== 'string') return inputAt(inputs, only.ref);
    const put = textWith(inputs, text);
    return typeof put === 'string' ? put : value;
  }
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((each: Json) => jsonWith(inputs, each));
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, jsonWith(inputs, each)]));
}

export function inputAt(inputs: InputValues, [, name = '', ...path]: readonly string[]): Json {
  const value = inputs.get(name);
  if (value === undefined)
    throw new Fault('bad_request', `the input "${name}" has no value: say it with --input ${name}=…`);
  return path.reduce<Json>((at, part) => {
    if ((typeof at === 'string' || Array.isArray(at)) && part === 'length') return at.length;
    const inside = at !== null && typeof at === 'object' && Object.hasOwn(at, part);
    return inside ? ((at as Record<string, Json>)[part] ?? null) : null;
  }, value);
}

/** The same form as in the run. */
function shown(value: Json): string {
  if (value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}
