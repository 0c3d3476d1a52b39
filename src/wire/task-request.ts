// The schema of one task in a request. Its defaults hold for every client; those that depend on the machine are added in
// server/routes/submit-request.ts. Unknown keys are refused, so that a misspelt option is an error.

import { z } from 'zod';
import { flawOfRule } from '../model/asks/permission.ts';
import { namedKinds } from '../model/attempt/artifact-kinds.ts';
import type { Json } from '../model/core/json.ts';
import { retryHows, usualTries } from '../model/core/retry-spec.ts';
import { checkRetriesMax, itemsMax, taskKinds } from '../model/core/spec.ts';
import type { Condition } from '../model/inputs/condition.ts';
import { contextWays } from '../model/session/context-spec.ts';
import { unitsMax } from '../std/amount.ts';
import { flawOfGlob } from '../std/path-glob.ts';
import { images } from './image-request.ts';

export const name = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'a name has letters, digits, ".", "_" and "-", at most 64');

export const check = z.strictObject({
  name,
  argv: z.array(z.string().max(32_000)).min(1).max(100),
  timeoutMs: z.int().positive().max(86_400_000).default(600_000),
  retries: z.int().min(0).max(checkRetriesMax).exactOptional(),
});

/** A list of words with a grammar of their own; `flawOf` says in a sentence what is wrong with one. */
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

/** Literal text, or parts of which some are references. */
const text = z.union([z.string().max(200_000), z.array(z.union([z.string().max(200_000), ref])).max(1_000)]);

const itemGlobs = z.array(text).max(200);

const condition: z.ZodType<Condition> = z.lazy(() =>
  z.union([
    z.strictObject({ op: z.literal('value'), value: z.union([z.string(), z.number(), z.boolean(), z.null()]) }),
    z.strictObject({ op: z.literal('ref'), ref: ref.shape.ref }),
    z.strictObject({ op: z.enum(['==', '!=', '&&', '||']), left: condition, right: condition }),
  ]),
);

const json = z.json() as z.ZodType<Json>;

/** An item is part of one event in the journal. */
const itemMax = 100_000;
const item = json.refine(
  (given) => JSON.stringify(given).length <= itemMax,
  `an item has at most ${itemMax} characters`,
);

/** Agents get the schema as an argument. */
const schemaMax = 64_000;
const schema = z
  .record(z.string(), json)
  .refine((given) => JSON.stringify(given).length <= schemaMax, `a schema has at most ${schemaMax} characters`);

const amount = z.int().positive().max(unitsMax);
export const budget = z.strictObject({
  tokens: amount.optional(),
  microUsd: amount.optional(),
  turns: amount.optional(),
  timeMs: amount.optional(),
  agents: amount.optional(),
});

const formField = z.strictObject({
  name,
  type: z.enum(['text', 'number', 'boolean', 'choice']),
  label: z.string().max(1_000).default(''),
  options: z.array(z.string().max(200)).max(100).default([]),
  required: z.boolean().default(true),
  usual: json.default(null),
});

/** Ten years. */
const gateTimeoutMaxMs = 315_360_000_000;

const gate = z.strictObject({
  message: text,
  shows: z
    .array(
      z.union([
        z.strictObject({ kind: z.literal('output'), task: name }),
        z.strictObject({ kind: z.enum(['diff', 'cost']) }),
      ]),
    )
    .max(50)
    .default([]),
  form: z.array(formField).max(50).default([]),
  timeoutMs: z.int().positive().max(gateTimeoutMaxMs).nullable().default(null),
  onTimeout: z.enum(['approve', 'reject']).default('reject'),
  who: z.array(z.string().min(1).max(100)).max(100).default([]),
});

export const context = z.strictObject({ how: z.enum(contextWays), percent: z.number().min(1).max(100) });

/** Defaults that previews of a run need as well. */
export const taskDefaults = { attemptsMax: 1, ...usualTries } as const;

/** The agent that is bundled with Signalbox and calls no model: it runs only if it is named, never by default. */
export const scriptedHarness = 'scripted';

const taskShape = z.strictObject({
  name,
  kind: z.enum(taskKinds).default('work'),
  prompt: text.refine((given) => given.length > 0, 'a task needs a prompt'),
  /** A session of the user's that it continues: its id, and the file that is copied. */
  adopt: z
    .strictObject({ session: z.string().regex(/^[0-9a-f-]{36}$/), path: z.string().startsWith('/').max(4_000) })
    .exactOptional(),
  /** Images that the prompt carries. */
  images: images.exactOptional(),
  /** Names of tasks of the same run. */
  needs: z.array(name).default([]),
  /** Those of its needs that only have to have ended, in whatever state. */
  tolerates: z.array(name).default([]),
  when: condition.nullable().default(null),
  onFailure: z.enum(['skip', 'stop', 'ask']).default('skip'),
  onCrash: z.enum(['goOn', 'ask']).default('goOn'),
  onConflict: z.enum(['fail', 'ask']).default('ask'),
  phase: name.nullable().default(null),
  role: z.string().min(1).max(200).nullable().default(null),
  gate: gate.nullable().default(null),
  /** Of a matrix: its items, or the list they come from. */
  items: z
    .union([z.array(item).min(1, 'a matrix needs at least one item').max(itemsMax), ref])
    .nullable()
    .default(null),
  env: z.record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,199}$/), text).default({}),
  setup: z.string().min(1).max(32_000).nullable().default(null),
  /** JSON Schema of its output. */
  output: schema.nullable().default(null),
  /** A kind of artifact that brings its own schema. */
  outputKind: z.enum(namedKinds).optional(),
  accounts: z.boolean().default(false),
  keeps: z.boolean().default(true),
  /** Of work: which kind of agent; gates and milestones have none. */
  harness: z.string().min(1).exactOptional(),
  settings: z.record(z.string(), z.string().max(500_000)).default({}),
  checks: z.array(check).max(50).default([]),
  /** Globs the task may change; null = it works optimistically. */
  writes: globs.nullable().default(null),
  /** Globs that no other task may change while it works. */
  reads: globs.default([]),
  /** Of a matrix: the same with references to its items; its own `writes` and `reads` then cover all of them. */
  itemPaths: z.strictObject({ writes: itemGlobs.nullable(), reads: itemGlobs }).exactOptional(),
  attemptsMax: z.int().min(1).max(100).default(taskDefaults.attemptsMax),
  conflictsMax: z.int().min(0).max(100).default(taskDefaults.conflictsMax),
  sendBacksMax: z.int().min(0).max(100).default(taskDefaults.sendBacksMax),
  retryDelayMs: z.int().min(0).max(3_600_000).default(1_000),
  retryHow: z.enum(retryHows).default('fresh'),
  /** What happens when its agent's context window fills up; left out: the default. */
  context: context.exactOptional(),
  timeoutMs: z.int().positive().nullable().default(null),
  budget: budget.nullable().default(null),
  treeBudget: budget.nullable().default(null),
  onQuota: z.enum(['wait', 'fallback', 'stop']).default('wait'),
  fallback: z.array(z.string().min(1).max(200)).max(10).default([]),
  /** What is left out has its default. */
  caps: z
    .strictObject({
      outputBytes: z.int().positive().optional(),
      memoryBytes: z.int().positive().optional(),
      processesMax: z.int().positive().optional(),
      stallMs: z.int().min(1_000).optional(),
      toolStallMs: z.int().min(1_000).optional(),
    })
    .default({}),
  /** What its agent may do without asking, see docs/permissions.md. */
  permissions: z
    .strictObject({ allow: rules.default([]), ask: rules.default([]), deny: rules.default([]) })
    .default({ allow: [], ask: [], deny: [] }),
  /** Left out: `workspace` where that works. */
  sandbox: z.enum(['workspace', 'none']).optional(),
  priority: z.int().min(-1_000).max(1_000).default(0),
});

export const task = taskShape.refine(
  ({ kind, harness }) => harness !== undefined || kind === 'gate' || kind === 'milestone',
  { path: ['harness'], message: 'a task names the kind of agent that works on it' },
);
