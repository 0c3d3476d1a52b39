// Validates an agent's output against the task's schema. An invalid value goes no further: nothing malformed reaches
// the journal or a task that needs it.

import { createRequire } from 'node:module';
import type { Ajv2020, ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { outputMax, schemaOf } from '../../model/attempt/typed-output.ts';
import type { Json, JsonObject } from '../../model/core/json.ts';
import type { TaskSpec } from '../../model/core/spec.ts';
import type { AgentFact } from '../../model/session/agent-fact.ts';
import { nestingMax } from '../../std/bounded-json.ts';

/** null: the task has no output, so this is only text. */
export function readOutput(spec: TaskSpec, value: unknown): Extract<AgentFact, { kind: 'output' }> | null {
  const schema = schemaOf(spec);
  if (schema === null) return null;
  const problems = problemsOf(schema, value);
  return { kind: 'output', value: problems.length === 0 ? (value as Json) : null, problems };
}

/** Why this schema cannot be used; null: it can. The submitter of a task learns it before anything starts. */
export function schemaFlaw(schema: JsonObject): string | null {
  const validate = validatorOf(schema);
  return typeof validate === 'string' ? validate : null;
}

export function problemsOf(schema: JsonObject, value: unknown): string[] {
  const text = JSON.stringify(value) as string | undefined;
  if (text === undefined) return [`it is not JSON, or nested deeper than ${nestingMax} levels`];
  if (text.length > outputMax) {
    return [`it has ${text.length} characters as JSON; ${outputMax} fit: write large results to a file of the work`];
  }
  const validate = validatorOf(schema);
  if (typeof validate === 'string') return [validate];
  if (validate(value)) return [];
  return (validate.errors ?? []).slice(0, problemsMax).map(words);
}

const problemsMax = 20;
const wordsMax = 500;

function words({ instancePath, message = 'does not fit', params }: ErrorObject): string {
  const { allowedValues, additionalProperty } = params as { allowedValues?: unknown; additionalProperty?: string };
  const more =
    allowedValues !== undefined
      ? `: ${JSON.stringify(allowedValues)}`
      : additionalProperty !== undefined
        ? `: ${JSON.stringify(additionalProperty)}`
        : '';
  return `${instancePath === '' ? 'it' : instancePath} ${message}${more}`.slice(0, wordsMax);
}

// The schema was checked with its plan; here an unknown keyword is no error.
const settings = { strict: false, allErrors: true, validateFormats: false, validateSchema: false };
let loaded: Ajv2020 | undefined;

/** Loaded with the first output: it would delay the start of the daemon, and most tasks have no output. */
function ajv(): Ajv2020 {
  const library = (): typeof import('ajv/dist/2020.js') => createRequire(import.meta.url)('ajv/dist/2020.js');
  loaded ??= new (library().Ajv2020)(settings);
  return loaded;
}

const validators = new WeakMap<TaskSpec['output'] & object, ValidateFunction | string>();

/** A text: it is not a valid schema, so no value matches it. */
function validatorOf(schema: JsonObject): ValidateFunction | string {
  const known = validators.get(schema);
  if (known !== undefined) return known;
  // The schema of a reloaded run is another object with the same text.
  const text = JSON.stringify(schema);
  const validate = byText.get(text) ?? compiled(schema);
  if (byText.size >= byTextMax) byText.clear();
  byText.set(text, validate);
  validators.set(schema, validate);
  return validate;
}

const byText = new Map<string, ValidateFunction | string>();
const byTextMax = 50;

function compiled(schema: JsonObject): ValidateFunction | string {
  // Two tasks may have different schemas with the same `$id`.
  const { $id: _, ...own } = schema;
  try {
    const validate = ajv().compile(own);
    // Its cache would grow as long as the daemon runs.
    ajv().removeSchema(own);
    return validate;
  } catch (error) {
    return `nothing can fit the schema of the task: ${(error as Error).message}`.slice(0, wordsMax);
  }
}
