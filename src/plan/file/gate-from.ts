// Reads a gate of a plan file: its question, what it shows, its form and the schema of its output.

import type { FormField, GateSpec, Shown } from '../../model/asks/gate-spec.ts';
import type { Json, JsonObject } from '../../model/core/json.ts';
import { amountOf } from './budget-from.ts';
import { parseWholePath } from './expression.ts';
import type { GateFile } from './gate-file.ts';
import { valueFlaw } from './json-schema.ts';
import type { TaskFile } from './plan-file.ts';
import type { PlanPath } from './problem.ts';
import type { Reading } from './read-values.ts';

/** For one text field. */
const textMax = 20_000;

/** Ten years. */
const timeoutMaxMs = 315_360_000_000;

export function gateOf(given: GateFile, path: PlanPath, reading: Reading): GateSpec {
  const form = Object.entries(given.form ?? {}).map(([name, field]) =>
    fieldOf(name, field, [...path, 'form', name], reading),
  );
  const gate: GateSpec = {
    message: reading.text(given.message, [...path, 'message']),
    shows: [given.show ?? []].flat().flatMap((word, i) => shownOf(word, [...path, 'show', i], reading)),
    form,
    timeoutMs: timeoutOf(given.timeout, [...path, 'timeout'], reading),
    onTimeout: given['on-timeout'] ?? 'reject',
    who: [given.who ?? []].flat(),
  };
  if (given['on-timeout'] !== undefined && given.timeout === undefined) {
    const suggestion = 'say how long it waits: "timeout: 7d"';
    reading.wrong([...path, 'on-timeout'], { message: 'this gate has no timeout', suggestion }, 'key');
  }
  const empty = form.find(({ required, usual }) => required && usual === null);
  if (gate.onTimeout === 'approve' && empty !== undefined) {
    const message = `it cannot be approved by its timeout: nobody would fill in "${empty.name}"`;
    reading.wrong([...path, 'form', empty.name], { message, suggestion: 'give it a default, or "required: false"' });
  }
  return gate;
}

function timeoutOf(given: GateFile['timeout'], path: PlanPath, reading: Reading): number | null {
  if (given === undefined) return null;
  const timeoutMs = amountOf(given, 'time', path, reading);
  if (timeoutMs > timeoutMaxMs) reading.wrong(path, { message: 'a gate waits at most ten years: 3650d' });
  return timeoutMs;
}

function fieldOf(
  name: string,
  given: NonNullable<GateFile['form']>[string],
  path: PlanPath,
  reading: Reading,
): FormField {
  const { type = 'text', label = '', required = true } = given;
  const options = (given.options ?? []).map(String);
  const said = (given.default ?? null) as Json;
  const usual = type === 'choice' && typeof said === 'number' ? String(said) : said;
  const field: FormField = { name, type, label, options, required, usual };
  if (type === 'choice' && options.length === 0) {
    reading.wrong(
      path,
      { message: `"${name}" is a choice without options`, suggestion: 'add "options: [a, b]"' },
      'key',
    );
  } else if (type !== 'choice' && options.length > 0) {
    reading.wrong(
      [...path, 'options'],
      { message: `"${name}" is no choice`, suggestion: 'write "type: choice"' },
      'key',
    );
  }
  const flaw = usual === null ? null : valueFlaw(fieldSchema(field), usual);
  if (flaw !== null) reading.wrong([...path, 'default'], { message: `the default does not fit: ${flaw}` });
  return field;
}

function shownOf(word: string, path: PlanPath, reading: Reading): Shown[] {
  if (word === 'diff' || word === 'cost') return [{ kind: word }];
  const parsed = parseWholePath(word.includes('${{') ? word : `\${{ ${word} }}`);
  const [root, task, what, ...rest] = parsed?.ok === true ? parsed.value.ref : [];
  if (root === 'tasks' && task !== undefined && what === 'output' && rest.length === 0)
    return [{ kind: 'output', task }];
  const suggestion = 'there are diff, cost, and whole outputs as in tasks.build.output';
  reading.wrong(path, { message: `"${word}" cannot be shown`, suggestion });
  return [];
}

/** JSON Schema of the filled form: every field has a value, null if it was left empty. null = there are no fields. */
export function formSchema(form: readonly FormField[]): JsonObject | null {
  if (form.length === 0) return null;
  const properties = Object.fromEntries(form.map((field) => [field.name, fieldSchema(field)]));
  return { type: 'object', properties, required: form.map(({ name }) => name), additionalProperties: false };
}

function fieldSchema({ type, options, required, usual }: FormField): JsonObject {
  const mayBeEmpty = !required && usual === null;
  const withUsual = usual === null ? {} : { default: usual };
  if (type === 'choice') return { enum: mayBeEmpty ? [...options, null] : [...options], ...withUsual };
  if (type !== 'text') return { type: mayBeEmpty ? [type, 'null'] : type, ...withUsual };
  const length = { maxLength: textMax, ...(required ? { minLength: 1 } : {}) };
  return { type: mayBeEmpty ? ['string', 'null'] : 'string', ...length, ...withUsual };
}

/** The keywords that a gate may have. */
const ofGates: readonly string[] = ['gate', 'description', 'needs', 'when', 'phase', 'on-failure'];

export function gateFlaws(task: TaskFile, path: PlanPath, reading: Reading): void {
  for (const word of Object.keys(task).filter((each) => !ofGates.includes(each))) {
    reading.wrong([...path, word], { message: `a gate has no "${word}": a person decides, and nobody works` }, 'key');
  }
  if (task['on-failure'] === 'ask') {
    const suggestion = 'write skip, continue or stop';
    reading.wrong([...path, 'on-failure'], { message: 'a person has decided already when a gate fails', suggestion });
  }
}
