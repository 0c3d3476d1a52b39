// Turns zod's errors into problems that a person can fix, each with its place.

import type { z } from 'zod';
import { didYouMean } from '../did-you-mean.ts';
import { type PlanPath, type Problem, problemAt, type Source } from './problem.ts';

type Issue = z.core.$ZodIssue;

export function shapeProblems(source: Source, schema: z.ZodType, raw: unknown, issues: readonly Issue[]): Problem[] {
  return issues.flatMap((issue) => issueProblems(source, schema, raw, issue, []));
}

function issueProblems(source: Source, schema: z.ZodType, raw: unknown, issue: Issue, above: PlanPath): Problem[] {
  const path = [...above, ...issue.path] as PlanPath;
  if (issue.code === 'unrecognized_keys') {
    const known = keysAt(schema, path);
    return issue.keys.map((key) =>
      problemAt(
        source,
        [...path, key],
        { message: `"${key}" is not known here`, suggestion: suggest(key, known) },
        'key',
      ),
    );
  }
  if (issue.code === 'invalid_key') {
    const [inner] = issue.issues;
    return [problemAt(source, path, { message: `"${String(path.at(-1))}": ${inner?.message ?? 'no name'}` }, 'key')];
  }
  if (issue.code === 'invalid_union') {
    const deeper = issue.errors.find((branch) => branch.some((each) => !isOfType(each)));
    if (deeper !== undefined) return deeper.flatMap((each) => issueProblems(source, schema, raw, each, path));
  }
  return [
    problemAt(source, path, { message: messageOf(issue, valueAt(raw, path)), suggestion: choices(issue, raw, path) }),
  ];
}

/** Whether the issue only says that the value has another type. */
function isOfType({ code, path }: Issue): boolean {
  return path.length === 0 && (code === 'invalid_type' || code === 'invalid_union');
}

function messageOf(issue: Issue, value: unknown): string {
  if (issue.code === 'too_small' && issue.message.startsWith('Too ')) {
    return typeof value === 'string' ? 'there is nothing in it' : `this must be ${atLeast(issue)} ${issue.minimum}`;
  }
  if (issue.code === 'too_big' && issue.message.startsWith('Too ')) return `this must be at most ${issue.maximum}`;
  if (issue.code !== 'invalid_type') {
    return issue.code === 'invalid_value' ? `${shown(value)} is not known here` : issue.message;
  }
  const wanted = kinds[issue.expected] ?? issue.expected;
  if (value === undefined) return `"${String(issue.path.at(-1) ?? 'this')}" is missing: it takes ${wanted}`;
  return `this takes ${wanted}, not ${value === null ? 'nothing' : shown(value)}`;
}

const atLeast = ({ inclusive }: { readonly inclusive?: boolean | undefined }): string =>
  inclusive === false ? 'more than' : 'at least';

function choices(issue: Issue, raw: unknown, path: PlanPath): string | null {
  const value = valueAt(raw, path);
  if (issue.code === 'invalid_value') return didYouMean(String(value), issue.values.map(String));
  if (path.at(-1) === 'matrix' && shown(value) === 'a mapping') {
    return 'write each item out, as in [{ os: linux, node: 20 }, { os: linux, node: 22 }]';
  }
  if (issue.code !== 'invalid_type') return null;
  if (issue.expected === 'array' && typeof value === 'string') return `write [${value}]`;
  if (issue.expected === 'number' && typeof value === 'string' && /^[\d.]+$/.test(value)) return `write ${value}`;
  if (path.length === 1 && path[0] === 'tasks')
    return 'write the name of each task, a colon, and indented below it what it is';
  return null;
}

const kinds: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a mapping of names to values',
  record: 'a mapping of names to values',
};

function shown(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'a mapping';
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

/** Keywords of other systems, and what to write instead. */
const elsewhere: Readonly<Record<string, string>> = {
  if: 'write "when"',
  steps: 'each step is a task of its own; order them with "needs"',
  jobs: 'write "tasks"',
  strategy: 'write "matrix" with a list',
  'continue-on-error': 'write "on-failure: continue"',
  'depends-on': 'write "needs"',
  uses: 'write "prompt" or "run"',
  with: 'write "env" or put it into the prompt',
  timeout: 'write "timeout-minutes"',
  on: 'leave it out: a plan is run by "signalbox run"',
  'runs-on': 'leave it out: agents work on this machine',
  outputs: 'write "output" with a JSON Schema',
  env: 'write it into "defaults", or into a task',
  name: 'the name of a task is the key above it; "description" says more',
  '<<': 'there are anchors and aliases, and no merging of mappings: put what all tasks share into "defaults"',
};

function suggest(key: string, known: readonly string[]): string | null {
  return elsewhere[key] ?? didYouMean(key, known);
}

function valueAt(raw: unknown, path: PlanPath): unknown {
  return path.reduce<unknown>((value, part) => (value as Record<string | number, unknown> | null)?.[part], raw);
}

/** The keys that a mapping at this path may have. */
function keysAt(schema: z.ZodType, path: PlanPath): string[] {
  let at: z.core.$ZodType[] = [schema];
  for (const part of path) at = at.flatMap(bare).flatMap((each) => inside(each, part));
  return at.flatMap(bare).flatMap((each) => Object.keys(defOf(each).shape ?? {}));
}

interface Def {
  readonly type: string;
  readonly shape?: Readonly<Record<string, z.core.$ZodType>>;
  readonly options?: readonly z.core.$ZodType[];
  readonly innerType?: z.core.$ZodType;
  readonly valueType?: z.core.$ZodType;
  readonly element?: z.core.$ZodType;
}

const defOf = (schema: z.core.$ZodType): Def => schema._zod.def as Def;

/** Without wrappers such as `optional`, and each option of a union by itself. */
function bare(schema: z.core.$ZodType): z.core.$ZodType[] {
  const { innerType, options } = defOf(schema);
  if (innerType !== undefined) return bare(innerType);
  return options === undefined ? [schema] : options.flatMap(bare);
}

function inside(schema: z.core.$ZodType, part: string | number): z.core.$ZodType[] {
  const { shape, valueType, element } = defOf(schema);
  return [shape?.[String(part)], valueType, element].filter((each) => each !== undefined);
}
