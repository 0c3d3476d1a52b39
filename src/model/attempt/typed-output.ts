// A task's typed output: when it is valid, what the agent is told when it is not, and how a synthesis accounts for its inputs.
// The schema itself is checked where the output is read.

import type { Attempt } from '../core/attempt.ts';
import type { RunEventBody } from '../core/events.ts';
import type { Json, JsonObject } from '../core/json.ts';
import { taskOf } from '../core/lookup.ts';
import type { Run } from '../core/run.ts';
import type { TaskSpec } from '../core/spec.ts';
import { givenTo } from '../inputs/needs.ts';
import { ownRecord } from '../messages/own-record.ts';

export type Output = NonNullable<Attempt['result']['output']>;

/** How often within one attempt an agent is told what is wrong with its output. */
export const correctionsMax = 3;
/** Characters of an output as JSON. Anything larger belongs into a file of the work. */
export const outputMax = 500_000;

/** Why this output is not valid; empty = it is valid, or the task has none. */
export function outputProblems(run: Run, attempt: Attempt, output: Output | null): readonly string[] {
  const task = taskOf(run, attempt.taskId);
  if (schemaOf(task.spec) === null) return [];
  if (output === null) return ['there is none: give it as the task says'];
  if (output.problems.length > 0 || !task.spec.accounts) return output.problems;
  const ids = givenTo(run, task).map(({ artifact }) => artifact);
  return accountProblems(output.value, ids);
}

/** Asks the agent to give its output again; empty if it was asked often enough. */
export function correct(attempt: Attempt, problems: readonly string[], toldBefore: number): RunEventBody[] {
  if (attempt.result.corrections >= correctionsMax) return [];
  const shown = problems.slice(0, problemsShown).map((problem) => `- ${problem}`);
  const more = problems.length > problemsShown ? [`- and ${problems.length - problemsShown} more`] : [];
  const text = ['Your output was not accepted:', ...shown, ...more, 'Give the whole output again, corrected.'].join(
    '\n',
  );
  return [{ type: 'output.refused', attemptId: attempt.id }, ownRecord(attempt, { kind: 'text', text }, toldBefore)];
}

const problemsShown = 20;

/** The schema of the agent's output: the task's own and, for a synthesis, the account of its inputs. */
export function schemaOf({ output, accounts }: TaskSpec): JsonObject | null {
  if (!accounts) return output;
  const own = output ?? { type: 'object', properties: { summary: { type: 'string' } }, required: ['summary'] };
  const properties = { ...((own['properties'] ?? {}) as JsonObject), sources: sourcesSchema };
  const required = [...((own['required'] ?? []) as readonly Json[]), 'sources'];
  return { ...own, properties, required };
}

const ids = { type: 'array', items: { type: 'string' } };
const rejections = {
  type: 'array',
  items: {
    type: 'object',
    properties: { id: { type: 'string' }, reason: { type: 'string', minLength: 1 } },
    required: ['id', 'reason'],
  },
};
const sourcesSchema: JsonObject = {
  type: 'object',
  description:
    'What became of each input, by its id: used, or rejected for a reason. Every input stands in one of the two.',
  properties: { used: ids, rejected: rejections },
  required: ['used', 'rejected'],
};

/** Every input must be used or rejected, and nothing else may be named. The value already fits the schema. */
function accountProblems(value: Json, given: readonly string[]): readonly string[] {
  const { used, rejected } = (value as unknown as Account).sources;
  const named = [...used, ...rejected.map(({ id }) => id)];
  const missing = given.filter((id) => !named.includes(id));
  const unknown = named.filter((id) => !given.includes(id));
  const twice = named.filter((id, i) => named.indexOf(id) !== i);
  return [
    ...missing.map((id) => `sources: ${id} is neither used nor rejected`),
    ...unknown.map((id) => `sources: there was no input ${id}`),
    ...twice.map((id) => `sources: ${id} stands in it more than once`),
  ];
}

interface Account {
  readonly sources: { readonly used: readonly string[]; readonly rejected: readonly { readonly id: string }[] };
}
