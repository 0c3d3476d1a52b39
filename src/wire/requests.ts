// What a client may ask of the daemon: the bodies of requests, parsed at the edge. Unknown keys are refused, so that a
// misspelt option is an error and not a silence.

import { z } from 'zod';
import type { Condition } from '../model/condition.ts';
import { isRunId, type MessageId, type RunId } from '../model/ids.ts';
import type { Json } from '../model/json.ts';
import { flawOfRule } from '../model/permission.ts';
import { itemsMax, taskKinds } from '../model/spec.ts';
import { Fault } from '../std/fault.ts';
import { flawOfGlob } from '../std/path-glob.ts';

export const requestBytesMax = 16 * 1024 * 1024;
export const tasksMax = 10_000;

const name = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'a name has letters, digits, ".", "_" and "-", at most 64');

const check = z.strictObject({
  name,
  argv: z.array(z.string().max(32_000)).min(1).max(100),
  timeoutMs: z.int().positive().max(86_400_000).default(600_000),
});

/** Words that each have their own grammar; `flawOf` says in a sentence what is wrong with one. */
const wordsWithout = (flawOf: (word: string) => string | null) => {
  const word = z
    .string()
    .max(1_000)
    .superRefine((given, context) => {
      const flaw = flawOf(given);
      if (flaw !== null) context.addIssue({ code: 'custom', message: flaw });
    });
  return z.array(word).max(200);
};

const rules = wordsWithout(flawOfRule);
const globs = wordsWithout(flawOfGlob);

const ref = z.strictObject({ ref: z.array(z.string().max(200)).min(1).max(20) });

/** Literal, or in parts of which some are references. */
const text = z.union([z.string().max(200_000), z.array(z.union([z.string().max(200_000), ref])).max(1_000)]);

const condition: z.ZodType<Condition> = z.lazy(() =>
  z.union([
    z.strictObject({ op: z.literal('value'), value: z.union([z.string(), z.number(), z.boolean(), z.null()]) }),
    z.strictObject({ op: z.literal('ref'), ref: ref.shape.ref }),
    z.strictObject({ op: z.enum(['==', '!=', '&&', '||']), left: condition, right: condition }),
  ]),
);

const json = z.json() as z.ZodType<Json>;

/** Each is part of one event of the record. */
const itemMax = 100_000;
const item = json.refine(
  (given) => JSON.stringify(given).length <= itemMax,
  `an item has at most ${itemMax} characters`,
);

/** Agents get it as an argument. */
const schemaMax = 64_000;
const schema = z
  .record(z.string(), json)
  .refine((given) => JSON.stringify(given).length <= schemaMax, `a schema has at most ${schemaMax} characters`);

const task = z.strictObject({
  name,
  kind: z.enum(taskKinds).default('work'),
  prompt: text.refine((given) => given.length > 0, 'a task needs a prompt'),
  /** Names of tasks of the same run. */
  needs: z.array(name).default([]),
  /** Of these needs those that only have to have ended. */
  tolerates: z.array(name).default([]),
  when: condition.nullable().default(null),
  onFailure: z.enum(['skip', 'stop']).default('skip'),
  phase: name.nullable().default(null),
  /** Of a matrix: what it is made over. */
  items: z
    .union([z.array(item).min(1, 'a matrix needs at least one item').max(itemsMax), ref])
    .nullable()
    .default(null),
  env: z.record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,199}$/), text).default({}),
  setup: z.string().min(1).max(32_000).nullable().default(null),
  /** JSON Schema of what it gives. */
  output: schema.nullable().default(null),
  accounts: z.boolean().default(false),
  keeps: z.boolean().default(true),
  harness: z.string().default('scripted'),
  settings: z.record(z.string(), z.string().max(500_000)).default({}),
  checks: z.array(check).max(50).default([]),
  /** Globs the task may change; null = it works optimistically. */
  writes: globs.nullable().default(null),
  /** Globs that nobody may be changing while it works. */
  reads: globs.default([]),
  attemptsMax: z.int().min(1).max(100).default(1),
  conflictsMax: z.int().min(0).max(100).default(1),
  retryDelayMs: z.int().min(0).max(3_600_000).default(1_000),
  timeoutMs: z.int().positive().nullable().default(null),
  /** What is left out is as usual. */
  caps: z
    .strictObject({
      outputBytes: z.int().positive().optional(),
      memoryBytes: z.int().positive().optional(),
      processesMax: z.int().positive().optional(),
      stallMs: z.int().min(1_000).optional(),
    })
    .default({}),
  /** What its agent may do unasked, see docs/permissions.md. */
  permissions: z
    .strictObject({ allow: rules.default([]), ask: rules.default([]), deny: rules.default([]) })
    .default({ allow: [], ask: [], deny: [] }),
  /** Left out: `workspace` where it works. */
  sandbox: z.enum(['workspace', 'none']).optional(),
  priority: z.int().min(-1_000).max(1_000).default(0),
});

export const createRun = z.strictObject({
  /** Minted by the client, so that asking again after a broken connection makes no second run. */
  id: z.custom<RunId>((value) => typeof value === 'string' && isRunId(value), 'not a run id'),
  name,
  repo: z.strictObject({
    path: z.string().startsWith('/', 'an absolute path'),
    /** A branch, a tag, a commit or `worktree`; null is what is checked out. */
    base: z.string().min(1).max(1_000).nullable().default(null),
  }),
  /** Whether all work comes together on one branch of the run, from whose head the next task starts. */
  lands: z.boolean().default(true),
  parallelMax: z.int().min(1).max(10_000).default(1_000),
  harnessMax: z.record(z.string(), z.int().min(1).max(10_000)).default({}),
  tasks: z.array(task).min(1, 'a run needs at least one task').max(tasksMax),
});

export const sendMessage = z.strictObject({
  /** Minted by the client, for the same reason. */
  id: z.custom<MessageId>((value) => typeof value === 'string' && /^message_[0-9a-z]{26}$/.test(value)),
  text: z.string().min(1, 'a message needs a text').max(200_000),
});

/** Orders that carry nothing but who gave them. */
export const order = z.strictObject({ by: z.string().min(1).max(100).default('a person') });

export const decideGate = z.strictObject({
  approved: z.boolean(),
  by: z.string().min(1).max(100).default('a person'),
  message: z.string().min(1).max(20_000).nullable().default(null),
  remember: z.enum(['call', 'tool']).nullable().default(null),
});

export const reclaimSpace = z.strictObject({
  /** Whose workspaces; left out = all that may go. */
  attempts: z.array(z.string().max(200)).max(10_000).optional(),
  /** With all workspaces: results of setups too, however lately they were used. */
  setups: z.boolean().default(false),
});

export type CreateRun = z.output<typeof createRun>;
export type CreateRunInput = z.input<typeof createRun>;
export type SendMessage = z.output<typeof sendMessage>;

/** The value, or a Fault `bad_request` that says in words what is wrong and where. */
export function parseRequest<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const wrong = result.error.issues.slice(0, 5).map(({ path, message }) => {
    return path.length === 0 ? message : `${path.join('.')}: ${message}`;
  });
  throw new Fault('bad_request', `the request is not understood: ${wrong.join('; ')}`);
}
