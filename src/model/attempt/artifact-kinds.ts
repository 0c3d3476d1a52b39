// The kinds of artifact that ship with Signalbox, each with the JSON Schema of its values. Pure data: a plan may name a kind in
// place of a schema, and every stored artifact names its kind.

import type { JsonObject } from '../core/json.ts';

/** Kinds that a task's `output` may name. */
export const namedKinds = ['finding', 'patch-plan', 'file-set', 'verdict', 'handoff', 'conflict', 'report'] as const;
export type NamedKind = (typeof namedKinds)[number];

/** `output`: a value that fits the task's own schema. `image`: what a prompt carries. */
export type ArtifactKind = NamedKind | 'output' | 'image';

/** Bytes of one stored artifact. Anything larger belongs into a file of the work. */
export const artifactMax = 16_000_000;

const text = { type: 'string' };
const words = { type: 'string', minLength: 1 };
const line = { type: 'integer', minimum: 1, description: 'The first line is 1.' };
const file = { type: 'string', minLength: 1, description: 'Path in the repository.' };
const commit = { type: 'string', pattern: '^[0-9a-f]{40}([0-9a-f]{24})?$', examples: ['0'.repeat(40)] };

function object(required: JsonObject, optional: JsonObject = {}, description?: string): JsonObject {
  return {
    type: 'object',
    ...(description === undefined ? {} : { description }),
    properties: { ...required, ...optional },
    required: Object.keys(required),
    additionalProperties: false,
  };
}

function list(items: JsonObject, description?: string): JsonObject {
  return { type: 'array', items, ...(description === undefined ? {} : { description }) };
}

const side = object(
  { task: words, commit: text, prompt: { ...text, description: 'The prompt of the task, cut if it is long.' } },
  { attemptId: words, paths: list(text) },
  'One side of the conflict: its task, the prompt of that task, and where its work is.',
);

export const kindSchemas: Readonly<Record<NamedKind, JsonObject>> = {
  finding: object(
    {
      what: { ...words, description: 'What is wrong, in a sentence.' },
      where: object({ file }, { line }),
      severity: { enum: ['low', 'medium', 'high', 'critical'] },
      evidence: { ...words, description: 'What shows it: a quotation, the output of a command, a failing test.' },
    },
    {},
    'One thing that was found.',
  ),
  'patch-plan': object(
    {
      goal: words,
      steps: list(object({ files: list(file), why: words }, { what: words }), 'In the order in which they are done.'),
      risks: list(words),
    },
    {},
    'How something is to be changed, before it is.',
  ),
  'file-set': object(
    {
      base: commit,
      commit,
      files: list(
        object({
          path: file,
          status: { enum: ['added', 'modified', 'deleted', 'type-changed'] },
          blob: { type: ['string', 'null'], description: 'The id of its content in git; null where it is gone.' },
        }),
      ),
    },
    { total: { type: 'integer', minimum: 0, description: 'How many there are, where not all are listed.' } },
    'What changed between two commits.',
  ),
  verdict: object(
    {
      commit: { ...commit, description: 'The commit that was judged.' },
      decision: { enum: ['pass', 'fail', 'unsure'] },
      reasons: list(object({ reason: words }, { file, line })),
    },
    {},
    'A judgement of one exact commit.',
  ),
  handoff: object(
    {
      found: list(words, 'What was found out.'),
      changed: list(words, 'What was changed, by file.'),
      remaining: list(words, 'What is still to be done.'),
      commands: list(words, 'Commands that were run and are worth running again.'),
    },
    {
      decided: list(words, 'What was decided, and why.'),
      tried: list(words, 'What was tried and came to nothing, so that nobody tries it again.'),
    },
    'What the next one needs to go on.',
  ),
  conflict: object(
    {
      target: { ...words, description: 'The branch that the work does not fit.' },
      head: { ...text, description: 'The commit that the branch was at.' },
      paths: list(text, 'Where the two meet; empty where they merge and a check fails.'),
      sides: { ...list(side), minItems: 1, maxItems: 2 },
    },
    {
      pathsTotal: { type: 'integer', minimum: 0 },
      check: object({ name: words, output: text }, {}, 'The check that fails on both together.'),
    },
    'Two works that do not go together.',
  ),
  report: object(
    { title: words, text },
    { whole: { ...words, description: 'Where the whole is if this is cut: the launch whose transcript has it.' } },
    'Something told in prose.',
  ),
};

export function isNamedKind(name: string): name is NamedKind {
  return (namedKinds as readonly string[]).includes(name);
}
